#!/usr/bin/env python3
"""Checks pages, and the comments of the emitted Verilog, against docs/style.md.

usage: scripts/prose.py [--list TEXT | --write]

Four kinds of findings:
  long      a sentence has more than 40 words
  opener    a sentence begins with it, that, what or of
  word      an everyday verb or pronoun is used where the field has a term (WORDS below)
  negation  a sentence has two negations or more

The parts of a sentence between semicolons, as in a list, count by themselves for *long* and *negation*.

docs/style_exceptions.txt has the number of findings of each file that still has some. A file that is not listed has none.
The check fails when a file has more findings than its line says, or fewer: numbers only fall, so the new number has to be
written down (--write, which lowers numbers and never raises one). --list shows the findings of all files whose path contains TEXT.

Neither Vale nor proselint is used: Vale's package fetches its program when it is first run, and proselint has no rule for
any of the four.
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

if sys.version_info < (3, 8):
    sys.exit("prose.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

ROOT = Path(__file__).resolve().parent.parent
EXCEPTIONS = "docs/style_exceptions.txt"
MOST_WORDS = 40
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "traces/README.md"]
# Table of the beginnings of rules.
GENERATED = ["docs/results/rules.md"]
# A page that shows faults, in the first column of its table.
STYLE = "docs/style.md"
# Emitted files come and go with shapes. Hence they share one line.
VERILOG = "hdl/verilog/"

# The pattern, and the words of the field.
WORDS = [
    (r"\b(?:told|tells? (?:it|them|of)|hears?(?: of)?)\b", "reports, gets"),
    (r"\btaken\b", "accepted, read, carried out"),
    (r"\bstands?\b(?!-in|-alone)|\bstood\b", "stalls, waits, is, is written"),
    (r"\b(?:comes?|came) to (?!the\b|a\b|an\b|its\b|this\b|rest\b)", "is, amounts to"),
    (r"\b(?:speaks?|spoke) (?:of|to)\b", "names, acknowledges"),
    (r"\bwhatever\b", "all, any"),
    (r"\b(?:knows?|knew) nothing\b", "has no information"),
    (r"\b(?:whoever|whatsoever)\b", "the actor"),
    (r"\b(?:gives?|gave) nothing\b|\bfor nothing\b", "has no effect"),
]
WORDS = [(re.compile(pattern, re.I), term) for pattern, term in WORDS]

OPENER = re.compile(r"^[_(\"']*(It|That|What|Of)\b")
# A PSN "never sent" is a term of the pages.
NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|nowhere|neither|nor|cannot|without|unless)\b(?! sent\b)|n't\b", re.I
)
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|Fig|Figs|Sec|No|al|approx|resp|Gb|Dr)\.$")
Finding = namedtuple("Finding", "line kind detail sentence")

# Faults that the check must find in a sentence, so that every kind is tested.
SAMPLES = [
    ("The sender accepts an OPEN in the clock in which the OPEN enters the transport.", []),
    ("It is accepted.", ["opener"]),
    ("Of an ACK that acknowledges PSNs never sent REPS gets no event.", ["opener"]),
    ("REPS is told, in this order.", ["word"]),
    ("An open is taken in the clock in which the event begins.", ["word"]),
    ("None of the pipelines ever stands.", ["word"]),
    ("The word does not leave without a request.", ["negation"]),
    ("The receiver sends neither ACKs nor NACKs.", []),
    ("The block takes 24 clocks. The `it` of code is no finding.", []),
    (" ".join(["word"] * 41) + ".", ["long"]),
]


def plain(text):
    """A text of Markdown without its marks. Code and formulas become one word each."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"``[^`]+``|`[^`]*`", "Code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    # A bold label at the beginning is a heading, as in "**Drain.** A connection ...".
    text = re.sub(r"^\s*\*\*[^*]+[.:]\*\*", "", text)
    # A sentence may begin with the name of a variable, as in "*average* becomes ...".
    text = re.sub(r"(?<=[.?!] )\*[a-z]", lambda found: found.group(0).upper(), text)
    return re.sub(r"[*]{1,2}", "", text)


def sentences(text):
    found, begin = [], 0
    for end in re.finditer(r"[.?!]+[)\"']*(?=\s+[^a-z\s])|$", text):
        part = text[begin : end.end()]
        if ABBREVIATION.search(part.rstrip()) and end.end() < len(text):
            continue
        if part.strip():
            found.append(part.strip())
        begin = end.end()
    return found


def judge(sentence):
    """The kinds of findings of a sentence, with details."""
    found = []
    for part in sentence.split(";"):
        words = [word for word in part.split() if re.search(r"\w", word)]
        if len(words) > MOST_WORDS:
            found.append(("long", "%d words" % len(words)))
        negations = [hit.group(0).lower() for hit in NEGATION.finditer(part)]
        # A pair is one negation.
        if "neither" in negations:
            negations = [word for word in negations if word != "nor"]
        if len(negations) > 1:
            found.append(("negation", ", ".join(negations)))
    opener = OPENER.match(sentence)
    if opener:
        found.append(("opener", opener.group(1)))
    for pattern, term in WORDS:
        for hit in pattern.finditer(sentence):
            found.append(("word", "%s (%s)" % (hit.group(0).strip(), term)))
    return found


def paragraphs(text):
    """The paragraphs, list items and table cells of a page, each with its first line."""
    lines, first, is_code = [], 0, False

    def end():
        joined = " ".join(lines)
        del lines[:]
        return [(first, joined)] if joined else []

    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("```"):
            is_code = not is_code
        is_outside = is_code or bare.startswith(("```", "#", "<!--", "|")) or not bare
        if is_outside:
            yield from end()
        if is_code or is_outside and not bare.startswith("|"):
            continue
        if bare.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", bare.strip("|")):
                if len(cell.split()) > 3:
                    yield number, cell.strip()
            continue
        item = re.match(r"(?:[-*]|\d+\.)\s+(.*)", bare)
        if item:
            yield from end()
            bare = item.group(1)
        if not lines:
            first = number
        lines.append(bare)
    yield from end()


def comments(text):
    """Runs of `//` comments of a Verilog file, each with its first line."""
    lines, first = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        code, mark, comment = line.partition("//")
        if mark and not code.strip():
            if not lines:
                first = number
            lines.append(comment.strip())
            continue
        if lines:
            yield first, " ".join(lines)
            lines = []
        if mark:
            yield number, comment.strip()


def findings(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    if path == STYLE:
        text = re.sub(r"^\|[^|]*", "|", text, flags=re.M)
    parts = comments(text) if path.endswith(".v") else paragraphs(text)
    found = []
    for line, part in parts:
        for sentence in sentences(plain(part)):
            found += [Finding(line, kind, detail, sentence) for kind, detail in judge(sentence)]
    return found


def files():
    pages = PAGES + [str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")]
    verilog = [str(path.relative_to(ROOT)) for path in (ROOT / VERILOG).rglob("*.v")]
    return sorted(set(pages) - set(GENERATED)) + sorted(verilog)


def listed():
    known = {}
    path = ROOT / EXCEPTIONS
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else []:
        if line and not line.startswith("#"):
            name, number = line.split()
            known[name] = int(number)
    return known


def self_test():
    for text, kinds in SAMPLES:
        found = sorted({kind for sentence in sentences(plain(text)) for kind, _ in judge(sentence)})
        if found != sorted(kinds):
            sys.exit("prose: the check finds %s, not %s, in: %s" % (found, kinds, text))


def main(arguments):
    self_test()
    if arguments[:1] == ["--list"] and len(arguments) == 2:
        for path in files():
            for finding in findings(path) if arguments[1] in path else []:
                print("%s:%d: %s: %s\n    %s" % ((path,) + finding))
        return
    if arguments not in ([], ["--write"]):
        sys.exit(__doc__)
    known, now = listed(), {}
    for path in files():
        name = VERILOG if path.startswith(VERILOG) else path
        now[name] = now.get(name, 0) + len(findings(path))
    more = ["%s: %d findings, at most %d" % (name, now[name], known.get(name, 0)) for name in now if now[name] > known.get(name, 0)]
    less = ["%s: %d findings, listed are %d" % (name, now.get(name, 0), known[name]) for name in known if now.get(name, 0) < known[name]]
    if arguments == ["--write"]:
        # The function never raises a number, and the check reports it.
        kept = {name: min(number, known.get(name, 0)) if known else number for name, number in now.items()}
        head = "# Findings of scripts/prose.py by file. A number may only fall; a file that is not listed has none.\n"
        rest = "".join("%s %d\n" % (name, kept[name]) for name in sorted(kept) if kept[name])
        (ROOT / EXCEPTIONS).write_text(head + rest, encoding="utf-8")
        less = []
    if more:
        print("\n".join(more) + "\nSee them: scripts/prose.py --list FILE. The rules: docs/style.md")
    if less:
        print("\n".join(less) + "\nFewer than listed: scripts/prose.py --write")
    if more or less:
        sys.exit(1)
    print("prose: %d files, %d findings left in %d of them" % (len(files()), sum(now.values()), len([n for n in now.values() if n])))


if __name__ == "__main__":
    main(sys.argv[1:])
