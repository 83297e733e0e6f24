"""From what is known to lines: functions, without an app and without widgets."""
