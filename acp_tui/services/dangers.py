"""What single programs do that should be looked at twice: the rules of `risks`, one function for each kind.

A rule sees the program's name and its words, unquoted; it knows the usual options, not all there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Words = list[str]

HARMLESS = frozenset(
    ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "-")
)
_PUBLISH = {
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun", "cargo", "poetry", "uv", "flit", "hatch"), "publish"),
    **dict.fromkeys(("docker", "podman", "gem", "helm", "nuget"), "push"),
    "twine": "upload",
    "mvn": "deploy",
    "goreleaser": "release",
}
_TEARS_DOWN = {
    "terraform": ("destroy", "apply"),
    "tofu": ("destroy", "apply"),
    "kubectl": ("delete", "drain"),
    "pulumi": ("destroy",),
    "docker": ("prune",),
    "podman": ("prune",),
    "helm": ("uninstall", "delete"),
    "dropdb": ("",),
}
_STOPS = frozenset({"shutdown", "reboot", "halt", "poweroff", "init", "telinit", "killall", "pkill"})
_FILE_SYSTEMS = frozenset({"fdisk", "sfdisk", "gdisk", "parted", "wipefs", "shred", "blkdiscard", "diskutil"})


_REMOTE = re.compile(r"[^/]+:")
_UPLOAD = re.compile(r"-T|--upload-file|-F|--form|--post-file|(-d|--data\S*=?)?@")


def is_device(path: str) -> bool:
    """A disk, or anything else below /dev that is no plain stream."""
    return (
        path.startswith("/dev/") and path not in HARMLESS and not path.startswith(("/dev/fd/", "/dev/shm/"))
    )


def of(name: str, words: Words) -> Iterator[str]:
    """Why this program with these words is marked."""
    for rule in _RULES:
        yield from rule(name, words)


def writes(name: str, words: Words) -> Iterator[tuple[int, str]]:
    """The words that name what is written or deleted, by place, and which of both it is."""
    places = [n for n, word in enumerate(words) if not word.startswith("-") or word == "-"]
    if name in ("rm", "rmdir", "unlink", "shred"):
        yield from ((n, "deletes") for n in places)
    elif name in ("tee", "touch", "mkdir", "truncate"):
        yield from ((n, "writes") for n in places)
    elif name == "sed" and any(word.startswith(("-i", "--in-place")) for word in words):
        yield from ((n, "writes") for n in places[1:])
    elif name in ("mv", "cp", "install", "ln", "rsync") and len(places) > 1:
        if name == "mv":
            yield from ((n, "moves away") for n in places[:-1])
        if not _REMOTE.match(words[places[-1]]):
            yield places[-1], "writes"
    elif name in ("chmod", "chown", "chgrp"):
        yield from ((n, "changes the rights of") for n in places[1:])


def _flags(words: Words) -> set[str]:
    """Short options one by one, long ones whole and without their value."""
    found: set[str] = set()
    for word in words:
        if word == "--":
            break
        if word.startswith("--"):
            found.add(word.split("=", 1)[0])
        elif word.startswith("-"):
            found.update("-" + letter for letter in word[1:])
    return found


def _other_user(name: str, words: Words) -> Iterator[str]:
    if name in ("sudo", "doas", "su", "pkexec", "runas"):
        yield "runs as another user"


def _deletes(name: str, words: Words) -> Iterator[str]:
    flags = _flags(words)
    if name == "rm" and flags & {"-r", "-R", "--recursive"}:
        yield "deletes folders with all in them" + (", unasked" if flags & {"-f", "--force"} else "")
    elif name == "find" and ("-delete" in words or any(word in ("rm", "/bin/rm") for word in words)):
        yield "deletes all that it finds"
    elif name == "xargs" and any(word in ("rm", "/bin/rm") for word in words):
        yield "deletes all that it is given"
    elif name == "rsync" and any(flag.startswith("--delete") for flag in flags):
        yield "deletes what the source does not have"


def _disks(name: str, words: Words) -> Iterator[str]:
    target = next((word[3:] for word in words if word.startswith("of=")), "")
    if name == "dd" and target:
        yield "writes over a device" if is_device(target) else "writes over a file, block by block"
    elif name.startswith("mkfs") or name in _FILE_SYSTEMS:
        yield "destroys what a disk or a file holds"


def _rights(name: str, words: Words) -> Iterator[str]:
    if name in ("chmod", "chown", "chgrp") and _flags(words) & {"-R", "--recursive"}:
        yield "changes rights or owners in whole folders"
    if name == "chmod" and any(re.fullmatch(r"[0-7]?777|[ao]*[+=]\w*w\w*", word) for word in words):
        yield "lets everybody write"
    if name == "chmod" and any(re.fullmatch(r"[ugoa]*\+\w*s\w*|[2467]\d{3}", word) for word in words):
        yield "lets a program run with its owner's rights"


def _git(name: str, words: Words) -> Iterator[str]:
    if name != "git":
        return
    verb, rest = _git_verb(words)
    flags = _flags(rest)
    if verb == "push":
        yield from _push(rest, flags)
    elif _throws_away(verb, rest, flags):
        yield "throws away changes that are not committed"
    elif verb == "clean" and flags & {"-f", "--force"}:
        yield "deletes files that git does not know"
    elif verb == "branch" and ("-D" in flags or {"--delete", "--force"} <= flags):
        yield "deletes a branch, merged or not"
    elif verb in ("filter-branch", "filter-repo") or (verb == "reflog" and rest[:1] == ["expire"]):
        yield "rewrites history"


def _push(rest: Words, flags: set[str]) -> Iterator[str]:
    if flags & {"-f", "--force", "--force-with-lease", "--mirror"} or any(w.startswith("+") for w in rest):
        yield "overwrites history at the remote"
    if flags & {"-d", "--delete"} or any(word.startswith(":") for word in rest):
        yield "deletes at the remote"


def _throws_away(verb: str, rest: Words, flags: set[str]) -> bool:
    return (
        (verb == "reset" and bool(flags & {"--hard", "--merge"}))
        or (verb == "checkout" and (bool(flags & {"-f", "--force"}) or rest[:1] == ["."] or "--" in rest))
        or (verb == "restore" and "--staged" not in flags)
        or (verb == "stash" and rest[:1] in (["drop"], ["clear"]))
    )


def _git_verb(words: Words) -> tuple[str, Words]:
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in ("-C", "-c", "--git-dir", "--work-tree") else 1
    return (words[place], words[place + 1 :]) if place < len(words) else ("", [])


def _publishes(name: str, words: Words) -> Iterator[str]:
    by_python = name.startswith("python") and words[:3] == ["-m", "twine", "upload"]
    by_gh = name == "gh" and words[:2] in (["release", "create"], ["repo", "create"], ["gist", "create"])
    if by_python or by_gh or (name in _PUBLISH and _PUBLISH[name] in words[:3]):
        yield "publishes"


def _sends(name: str, words: Words) -> Iterator[str]:
    if name in ("curl", "wget") and any(_UPLOAD.match(word) for word in words):
        yield "sends a file away"
    elif name in ("scp", "sftp", "rsync") and words and _REMOTE.match(words[-1]):
        yield "sends files away"
    elif name in ("nc", "ncat", "netcat", "socat"):
        yield "talks to the network"


def _stops(name: str, words: Words) -> Iterator[str]:
    if name in _STOPS:
        yield "stops the machine or many processes"
    elif name == "kill" and "-1" in words[1:]:
        yield "ends all your processes"
    elif name in ("systemctl", "service", "launchctl") and {"stop", "disable", "mask", "unload"} & set(words):
        yield "stops a service"
    elif name == "crontab" and "-r" in words:
        yield "deletes all scheduled jobs"


def _tears_down(name: str, words: Words) -> Iterator[str]:
    if name in _TEARS_DOWN and any(verb in words or not verb for verb in _TEARS_DOWN[name]):
        yield "changes or tears down what runs elsewhere"
    elif any(
        re.search(r"\b(drop\s+(table|database|schema)|truncate\s+table)\b", word, re.I) for word in words
    ):
        yield "deletes data in a database"


_RULES = (_other_user, _deletes, _disks, _rights, _git, _publishes, _sends, _stops, _tears_down)
