"""An agent that streams all kinds of updates, prompt after prompt, until nobody reads; it starts in no time.

It answers by the place of a word in the line, for it has no time to read JSON: `-I -S`, next to no imports.
"""

import os
import select

_BURST = 3
_PAUSE = 0.001
"""Seconds between two bursts: what was killed after a tenth of a second is read again in another."""
_TURN = 40
"""Updates of one turn."""


def send(message: str) -> None:
    data = b'{"jsonrpc":"2.0",' + message.encode() + b"}\n"
    while data:
        data = data[os.write(1, data) :]


def update(fields: str) -> None:
    send('"method":"session/update","params":{"sessionId":"sess1","update":{"sessionUpdate":' + fields + "}}")


def text(words: str) -> str:
    return '{"type":"text","text":"' + words + '"}'


def one(number: int) -> None:
    """The next update: of a message, a thought or a tool call, or a question about one."""
    message = number // 12
    match number % 6:
        case 0 | 1 | 2:
            update(f'"agent_message_chunk","messageId":"m{message}","content":{text(f"{number} wörd ")}')
        case 3:
            update(f'"agent_thought_chunk","messageId":"t{message}","content":{text(f"{number} hm ")}')
        case 4:
            status = "completed" if number % 4 else "in_progress"
            update(f'"tool_call_update","toolCallId":"c{message}","title":"look","status":"{status}"')
        case 5 if number % 9 == 5:
            options = '[{"optionId":"yes","name":"Yes","kind":"allow_once"}]'
            call = f'{{"toolCallId":"c{message}"}}'
            asked = f'"sessionId":"sess1","title":"May I?","subject":{{"type":"tool_call","toolCall":{call}}}'
            send(
                f'"id":"q{number}","method":"session/request_permission","params":{{{asked},"options":{options}}}'
            )


def turn(begun: int, id: str) -> None:
    update(f'"user_message","messageId":"u{begun}","content":[{text(f"go on {begun}")}]')
    send(f'"id":{id},"result":{{"messageId":"u{begun}"}}')
    update('"state_update","state":"running"')
    for number in range(begun, begun + _TURN):
        one(number)
        if number % _BURST == 0:
            select.select([], [], [], _PAUSE)
    update('"state_update","state":"idle","stopReason":"end_turn"')


def main() -> None:
    count, rest = 0, b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            id = line.partition(b'"id":')[2].partition(b",")[0].decode()
            if b'"initialize"' in line:
                info = '"info":{"name":"streaming","version":"1"}'
                send(f'"id":{id},"result":{{"protocolVersion":2,"capabilities":{{"session":{{}}}},{info}}}')
            elif b'"session/new"' in line:
                send(f'"id":{id},"result":{{"sessionId":"sess1"}}')
            elif b'"session/prompt"' in line:
                turn(count, id)
                count += _TURN


if __name__ == "__main__":
    try:
        main()
    except OSError:  # who read it is dead
        os._exit(0)
