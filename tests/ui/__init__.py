from tests.ui.sheets import parse_each_sheet_once

parse_each_sheet_once()
