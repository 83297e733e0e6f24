"""Take secrets out of what is kept, by their path in the message (RP-20, S56).

Pure: the original is never changed; what holds no secret is returned as the same object. Masked are values in
`env` and `headers`, token-like keys in `_meta` and in the parameters of `auth/…`, what was typed into an
elicitation, and credentials in URLs. `text` does what can be done for free text, by shape; its patterns start
at word starts and are bounded, so that hostile text costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

MASK = "[redacted]"

_NAME = re.compile(
    r"token|secret|passw|passphrase|api[-_]?key|private[-_]?key|access[-_]?key|authori[sz]ation|credential|cookie"
    r"|bearer|^(auth|pwd)$",
    re.IGNORECASE,
)
_IN_URL = re.compile(rf"{_NAME.pattern}|sig|^(code|key|state)$", re.IGNORECASE)
_SHAPES = re.compile(
    r"(?<![\w-])(?:(?:sk|pk|rk)-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[A-Z0-9]{16}\b|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)[\w.~+/=-]{8,}")
_ASSIGNED = re.compile(
    r"""(?ix) ( (?: token | secret | passw(?:or)?d | api[-_]?key | authorization ) [\w-]{0,30} ["']?
                \s{0,3} [:=] \s{0,3} ["']? )
        (?! \[redacted\] | bearer\b | basic\b ) [^\s"',;&}]{4,}"""
)
_LITERAL = re.compile(
    r"""(?ix) ( ( token | secret | passw(?:or)?d | api[-_]?key | authorization ) [\w-]{0,30} ["']?
                [ \t]{0,3} [:=] [ \t]{0,3} (["']?) )
        (?! \[redacted\] | bearer\b | basic\b ) ([^\s"'`,;&(){}\[\]<>|$]{4,}+) (?! [(\[<{] )"""
)
_TYPES = re.compile(
    r"(?i)(?:str(?:ing)?|bytes|bool(?:ean)?|number|none|null|undefined|true|false|any|object|optional)\b|\.\.\."
)
_REFERENCE = re.compile(r"-(?:env|file)$", re.IGNORECASE)
"""Options that say where a secret is, not what it is: without them a command could not be started again."""
_USERINFO = re.compile(r"(?<=://)[^/?#\s@]+(?=@)")
_VALUE = re.compile(r"(?<=[=:]).+", re.DOTALL)
_PARAMETER = re.compile(r"(?<=[?&#])([^=&#?\s]+)=([^&#\s]+)")


def message(raw: dict[str, Any]) -> dict[str, Any]:
    """A whole JSON-RPC message, fit for keeping."""
    found: dict[str, Any] = _walk(raw)
    result = found.get("result")
    if type(result) is dict and result.get("action") == "accept" and "content" in result:
        found = {**found, "result": {**result, "content": _mask(result["content"])}}
    method = found.get("method")
    if type(method) is str and method.startswith("auth/") and type(found.get("params")) is dict:
        found = {**found, "params": _named(found["params"])}
    return found


def url(value: str) -> str:
    """User and password, and parameters whose names sound like secrets."""
    if "@" in value:
        value = _USERINFO.sub(MASK, value)
    if "=" in value:
        value = _PARAMETER.sub(lambda m: f"{m[1]}={MASK}" if _IN_URL.search(m[1]) else m[0], value)
    return value


def text(value: str) -> str:
    """Free text, such as stderr: known shapes of keys, `token=…`, `Bearer …`, credentials in URLs."""
    value = _SHAPES.sub(MASK, value)
    value = _BEARER.sub(rf"\1\2{MASK}", value)
    return url(_ASSIGNED.sub(rf"\g<1>{MASK}", value))


def shared(value: str) -> str:
    """Text that goes out to be read by others, code among it: as `text`, but where a name is followed by what
    only code would have there, nothing is masked: `token = self.next()`, `secret: str`, `tokens: 12345`.
    """
    value = _SHAPES.sub(MASK, value)
    value = _BEARER.sub(rf"\1\2{MASK}", value)
    return url(_LITERAL.sub(_judged, _ASSIGNED.sub(_variable, value)))


def _variable(found: re.Match[str]) -> str:
    """Of a name in capitals anything is a secret."""
    return f"{found[1]}{MASK}" if found[1].isupper() and "\n" not in found[1] else found[0]


def _judged(found: re.Match[str]) -> str:
    before, name, quoted, value = found.groups()
    strong = name.isupper() or not name.lower().startswith("token")
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    code = not mixed and ("." in value or bool(_TYPES.fullmatch(value)))
    return f"{before}{MASK}" if (quoted or strong or mixed) and not code else found[0]


def command(words: Sequence[str]) -> list[str]:
    """A command line: `--api-key VALUE`, `--token=VALUE`, `NAME_TOKEN=VALUE`, and known shapes anywhere."""
    kept: list[str] = []
    masked_next = False
    for word in words:
        name, equals, _ = word.partition("=")
        reference = bool(_REFERENCE.search(name))
        secret = bool(_NAME.search(name.lstrip("-"))) and not reference
        if masked_next and not word.startswith("-"):
            kept.append(MASK)
        else:
            harmless = _SHAPES.sub(MASK, word) if reference else text(word)
            kept.append(f"{name}={MASK}" if secret and equals else harmless)
        masked_next = secret and not equals and word.startswith("-")
    return kept


def secret_name(name: str) -> bool:
    """What is called so is most likely a secret: a variable, a header, a parameter."""
    return bool(_NAME.search(name))


def _walk(value: Any) -> Any:
    """Copy on write: the way down to a secret is copied, everything else is shared with the original."""
    changed: Any = None
    if type(value) is dict:
        for key, item in value.items():
            rule = _RULES.get(key)
            if rule is None:
                if type(item) is str:  # most of what there is
                    continue
                rule = _deeper
            if (new := rule(item)) is not item:
                changed = dict(value) if changed is None else changed
                changed[key] = new
    else:
        for index, item in enumerate(value):
            if (new := _deeper(item)) is not item:
                changed = list(value) if changed is None else changed
                changed[index] = new
    return value if changed is None else changed


def _deeper(value: Any) -> Any:
    return _walk(value) if type(value) is dict or type(value) is list else value


def _mask(value: Any, numbers: bool = True) -> Any:
    """Every value inside; the names stay, so that one sees what was there."""
    if type(value) is dict:
        return {key: _mask(item, numbers) for key, item in value.items()}
    if type(value) is list:
        return [_mask(item, numbers) for item in value]
    return MASK if type(value) is str or (numbers and value is not None) else value


def _pairs(value: Any) -> Any:
    """`[{name, value}]`, `{name: value}` or `["name=value"]`."""
    if type(value) is dict:
        return _mask(value)
    return [_pair(item) for item in value] if type(value) is list else value


def _pair(item: Any) -> Any:
    if type(item) is dict:
        return {key: kept if key == "name" else _mask(kept) for key, kept in item.items()}
    return _VALUE.sub(MASK, item) if type(item) is str else item


def _named(value: Any) -> Any:
    """Text under names that sound like secrets; numbers (such as counts of tokens) stay."""
    if type(value) is dict:
        return {k: _mask(v, numbers=False) if _NAME.search(k) else _named(v) for k, v in value.items()}
    return [_named(item) for item in value] if type(value) is list else value


def _meta(value: Any) -> Any:
    named = _named(value)
    return _deeper(value if named == value else named)


def _url(value: Any) -> Any:
    if type(value) is str:
        return kept if (kept := url(value)) != value else value
    return _deeper(value)


_RULES: dict[str, Callable[[Any], Any]] = {
    "env": _pairs,
    "headers": _pairs,
    "_meta": _meta,
    "url": _url,
    "uri": _url,
}
