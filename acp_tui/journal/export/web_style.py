"""How an exported page looks: small, readable by day and night, and whole on paper."""

from __future__ import annotations

from typing import Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:"

STYLE: Final = """\
:root { color-scheme: light dark; --text: #1c1e21; --dim: #5c636b; --back: #fff; --code: #f4f5f7;
  --line: #d9dce0; --accent: #1f5fbf; --bad: #b3261e; --add: #e3f5e5; --delete: #fbe6e4; --keyword: #8b3fa8;
  --name: #1f5fbf; --type: #0f6f7a; --string: #2b7132; --number: #915a00; --comment: #6a7078; }
@media (prefers-color-scheme: dark) { :root { --text: #dfe2e6; --dim: #979ea7; --back: #16181b;
  --code: #1f2226; --line: #34383e; --accent: #7db0ff; --bad: #ff8a80; --add: #173620; --delete: #43201e;
  --keyword: #d19aea; --name: #7db0ff; --type: #6fc7d1; --string: #8fce95; --number: #e0b060;
  --comment: #8a919a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; color: var(--text);
  background: var(--back); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: .85rem; color: var(--dim); margin: 1.6rem 0 .2rem; }
header p, footer, time, .facts, .rule { color: var(--dim); font-size: .85rem; font-weight: normal; }
.user_message { border-left: 3px solid var(--accent); padding-left: .8rem; }
.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: .4rem; }
.text :is(h1, h2, h3, h4, h5, h6) { font-size: 1.05rem; color: inherit; margin: 1rem 0 .4rem; }
pre, code, .call, .glyph { font: .85rem/1.5 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
pre { background: var(--code); padding: .6rem .8rem; overflow-x: auto; border-radius: 4px; margin: .5rem 0; }
pre.terminal, pre.text { white-space: pre-wrap; }
:not(pre) > code { background: var(--code); padding: .1rem .25rem; border-radius: 3px; }
details, p.call { margin: .15rem 0; }
details > :not(summary) { margin-left: 1.1rem; }
summary { cursor: pointer; color: var(--dim); }
.call summary, p.call { color: var(--text); }
p.call { padding-left: 1.1rem; }
.failed .glyph, .failed .facts { color: var(--bad); }
.rule { border-bottom: 1px solid var(--line); margin: 1.2rem 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }
blockquote { border-left: 3px solid var(--line); margin: .5rem 0; padding-left: .8rem; color: var(--dim); }
img { max-width: 100%; height: auto; }
a { color: var(--accent); }
.plan ul { list-style: none; padding: 0; }
.add, .diff-add { background: var(--add); }
.delete, .diff-delete { background: var(--delete); }
.hunk, .code-comment { color: var(--comment); }
.code-keyword, .code-operator { color: var(--keyword); }
.code-function, .code-attribute, .code-heading { color: var(--name); }
.code-type, .code-builtin, .code-tag { color: var(--type); }
.code-string { color: var(--string); }
.code-number { color: var(--number); }
.code-error { color: var(--bad); }
footer { margin-top: 3rem; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; }
  details::details-content { content-visibility: visible; display: block; }
  pre { white-space: pre-wrap; border: 1px solid var(--line); } h2, summary { break-after: avoid; } }
"""
