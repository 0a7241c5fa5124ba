#!/usr/bin/env python3
"""Builds the site: all pages with a table of contents and a search, to be read from the disk, without a host.

usage: scripts/site.py [--check | --browser | --follow FOLDER]

The table of contents is docs/SUMMARY.md. --check compares the table with the pages and builds nothing. Without it,
mdBook makes build/site from the pages, and the script follows every link, anchor and picture of the site. --browser
then opens ten pages in headless Chromium, searches, follows links, and looks at the pictures. --follow follows the links of a
site that was built elsewhere.

Links that leave the pages, to a source file or a folder, open a copy within the site. build/site-src has the pages as mdBook
gets them. `scripts/setup.sh site` installs mdBook and Chromium, which scripts/browser.py drives.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("site.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import html
import os
import re
import shutil
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

# The scripts must not leave files in the repository.
sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parent.parent
CONTENTS = "docs/SUMMARY.md"
STYLE = "docs/site.css"
SOURCE, SITE = ROOT / "build/site-src", ROOT / "build/site"
MDBOOK = ROOT / "build/tools/mdbook/bin/mdbook"
PICTURES = (".svg", ".png")
OPENED = 10

# Pages keep their names: README.md is not an index here. A page of all pages has no anchors of its own. The
# site sends no code to a host to be run.
BOOK = """[book]
title = "weft"
language = "en"

[build]
build-dir = "%s"
create-missing = false
use-default-preprocessors = false

[output.html]
additional-css = ["site.css"]
no-section-label = true
smart-punctuation = false
input-404 = ""

[output.html.fold]
enable = true

[output.html.print]
enable = false

[output.html.playground]
runnable = false
"""

FILE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%(path)s</title>
</head>
<body>
<p><a href="%(home)s">weft</a> / <code>%(path)s</code></p>
%(body)s
</body>
</html>
"""

LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(text):
    """The lines of a page, each with whether it is outside of fenced code."""
    is_code = False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        yield line, not (is_code or is_fence)


def targets(text):
    """The files that a page's links name, without their anchors."""
    found = [target for line, is_prose in prose(text) if is_prose for target in LINK.findall(line)]
    return [target.split("#")[0] for target in found if "://" not in target and not target.startswith(("#", "mailto:"))]


def relative(path, folder):
    """A path from the root, as a link from a folder."""
    return os.path.relpath(path, folder or ".").replace(os.sep, "/")


def at(page, target):
    """The path from the root to which a link of a page leads."""
    return os.path.normpath(os.path.join(os.path.dirname(page), unquote(target))).replace(os.sep, "/")


def contents():
    """The pages of the table of contents, in order, and its errors."""
    text = (ROOT / CONTENTS).read_text(encoding="utf-8")
    entries = [at(CONTENTS, target) for target in targets(text)]
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    faults = ["%s: %s is not in it" % (CONTENTS, page) for page in sorted(pages - set(entries))]
    faults += ["%s: %s is in it twice" % (CONTENTS, page) for page in sorted(set(entries)) if entries.count(page) > 1]
    faults += ["%s: there is no %s" % (CONTENTS, page) for page in entries if not (ROOT / page).is_file()]
    return entries, faults


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_of(path):
    """The page within the site that shows a file or a folder."""
    return path + "/index.html" if (ROOT / path).is_dir() else path + ".html"


def rewritten(page, text, pages, linked):
    """A page whose links stay within the site. `linked` gets the files and pictures that the page names."""

    def link(found):
        target, mark, anchor = found.group(1).partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return found.group(0)
        path = at(page, target)
        # A link to a missing file stays as it is. The check of the built site finds it.
        if path in pages or not (ROOT / path).exists():
            return found.group(0)
        linked.add(path)
        there = path if path.endswith(PICTURES) else copy_of(path)
        return "](%s%s%s)" % (relative(there, os.path.dirname(page)), mark, anchor)

    return "\n".join(LINK.sub(link, line) if is_prose else line for line, is_prose in prose(text))


def show(path, linked):
    """The copy of a file, or the list of a folder, as HTML."""
    there = copy_of(path)
    folder = os.path.dirname(there)
    if (ROOT / path).is_dir():
        lines = []
        for child in sorted((ROOT / path).iterdir()):
            name = child.relative_to(ROOT).as_posix()
            label = html.escape(child.name + ("/" if child.is_dir() else ""))
            is_linked = name in linked and not name.endswith(PICTURES)
            lines.append('<li><a href="%s">%s</a></li>' % (relative(copy_of(name), folder), label) if is_linked else "<li>%s</li>" % label)
        body = "<ul>\n%s\n</ul>" % "\n".join(lines)
    else:
        body = "<pre>%s</pre>" % html.escape((ROOT / path).read_text(encoding="utf-8"), quote=False)
    return FILE % {"path": html.escape(path), "home": relative("index.html", folder), "body": body}


def prepare(pages):
    """Writes the input of mdBook: the part of the repository's tree to which pages and their links lead."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    tree, linked = SOURCE / "src", set()
    for page in pages:
        write(tree / page, rewritten(page, (ROOT / page).read_text(encoding="utf-8"), pages, linked))
    for path in sorted(linked):
        if path.endswith(PICTURES):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tree / path)
        else:
            write(tree / copy_of(path), show(path, linked))
    summary = (ROOT / CONTENTS).read_text(encoding="utf-8")
    write(tree / "SUMMARY.md", LINK.sub(lambda found: "](%s)" % at(CONTENTS, found.group(1)), summary))
    write(SOURCE / "book.toml", BOOK % relative(SITE, SOURCE))
    shutil.copy(ROOT / STYLE, SOURCE / "site.css")
    return linked


class Page(HTMLParser):
    """The anchors, links and pictures of a page of HTML."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.files = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(value for value in (values.get("id"), values.get("name")) if value)
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("href"):
            self.files.append(values["href"])
        if tag in ("img", "script", "iframe") and values.get("src"):
            self.files.append(values["src"])


def follow(site):
    """The number of links and pictures of a built site that stay within it, and their errors."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    number, faults = 0, []
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for link in page.links + page.files:
            if re.match(r"[a-z][a-z0-9+.-]*:", link):
                continue
            number += 1
            file, _, anchor = link.partition("#")
            file = file.partition("?")[0]
            there = Path(os.path.normpath(path.parent / unquote(file))) if file else path
            if not there.is_file() or site not in there.parents:
                faults.append("%s: there is no %s" % (name, link))
            elif anchor and there in pages and unquote(anchor) not in pages[there].anchors:
                faults.append("%s: %s has no such anchor" % (name, link))
    # mdBook has a picture twice, small and large.
    return number, list(dict.fromkeys(faults))


def self_test():
    """Checks that the check finds every kind of fault."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder).resolve()
        write(site / "a.html", '<h1 id="a"></h1><a href="b/c.html#c"></a><a href="#b"></a><a href="d.html"></a><img src="e.svg">')
        write(site / "b/c.html", '<h1 id="c"></h1><a href="../a.html#a"></a><a href="../a.html#c"></a><a href="../../a.html"></a>')
        found = follow(site)
    expected = ["a.html: #b has no such anchor", "a.html: there is no d.html", "a.html: there is no e.svg"]
    expected += ["b/c.html: ../a.html#c has no such anchor", "b/c.html: there is no ../../a.html"]
    if found != (7, expected):
        sys.exit("site: the check of links finds %s" % (found,))


def build():
    pages, faults = contents()
    if faults:
        return faults
    if not MDBOOK.is_file():
        return ["mdBook is missing: run scripts/setup.sh site"]
    linked = prepare(pages)
    shutil.rmtree(SITE, ignore_errors=True)
    done = subprocess.run([str(MDBOOK), "build", str(SOURCE)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    # A warning is an entry without a page, or unclosed HTML in a page.
    if done.returncode or "WARN" in done.stdout or "ERROR" in done.stdout:
        return ["mdBook: " + line for line in done.stdout.splitlines()]
    number, faults = follow(SITE)
    if not faults:
        print("site: %d pages and %d files; %d links within the site lead somewhere; open build/site/index.html" % (len(pages), len(linked), number))
    return faults


def look():
    """Faults of ten pages in a browser, as a reader would see them."""
    import browser

    if not browser.program():
        print("site: without chromium no browser looks at the pages; scripts/setup.sh site installs it")
        return []
    pages, _ = contents()
    # The pages with the most pictures, and others from all folders.
    most = sorted(pages, key=lambda page: -len(re.findall(r"!\[", (ROOT / page).read_text(encoding="utf-8"))))[: OPENED // 2]
    others = [page for page in pages if page not in most]
    chosen = most + others[:: len(others) // (OPENED - len(most))][: OPENED - len(most)]
    window, faults, pictures, links = browser.Browser(), [], 0, 0

    def expect(holds, fault):
        if not holds:
            faults.append(fault)

    def title():
        return window.value("document.querySelector('main h1') && document.querySelector('main h1').textContent")

    for page in chosen:
        window.open((SITE / page).with_suffix(".html").as_uri())
        expect(title(), "%s: has no title" % page)
        expect(window.wait("document.querySelectorAll('nav .chapter a').length > 50"), "%s: the table of contents is not there" % page)
        # mdBook has each picture once more, hidden, to show it large.
        sizes = window.value("[...document.querySelectorAll('main img:not(.img-wrapper img)')].map(i => [i.getAttribute('src'), i.naturalWidth * i.clientHeight])")
        pictures += len(sizes)
        faults += ["%s: %s is not drawn" % (page, name) for name, size in sizes if not size]
        link = "[...document.querySelectorAll('main a[href]')].find(a => a.protocol == 'file:' && a.pathname != location.pathname)"
        if window.value("!!(%s)" % link):
            expected = window.value("(%s).href" % link)
            window.click(link)
            links += 1
            expect(window.value("location.href") == expected and window.value("document.title"), "%s: the link to %s is not followed" % (page, expected))
    expect(pictures >= OPENED // 2, "only %d pictures on ten pages" % pictures)

    # A search as a reader does it: the key, the words, and the first result.
    window.open((SITE / "index.html").as_uri())
    window.value("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 's', bubbles: true}))")
    window.wait("!document.querySelector('.searching') && !!document.querySelector('#mdbook-search-index')")
    field = "document.querySelector('input[type=search]')"
    window.value("%s.value = 'tail probe'; %s.dispatchEvent(new KeyboardEvent('keyup', {key: 'e', bubbles: true}))" % (field, field))
    result = "document.querySelector('[id$=searchresults] a')"
    if window.wait("!!%s" % result):
        window.click(result)
        expect("probe" in window.value("document.querySelector('main').textContent"), "the first result of a search lacks the word")
    else:
        faults.append("a search finds nothing")
    faults += ["a script fails: %s" % error for error in window.errors]
    window.close()
    if not faults:
        print("site: Chromium opened %d pages, saw %d pictures, followed %d links and searched" % (len(chosen), pictures, links))
    return faults


def main(arguments):
    if arguments not in ([], ["--check"], ["--browser"]) and not (len(arguments) == 2 and arguments[0] == "--follow"):
        sys.exit(__doc__)
    self_test()
    if arguments == ["--check"]:
        pages, faults = contents()
        if not faults:
            print("site: %s has all %d pages once" % (CONTENTS, len(pages)))
    elif arguments[:1] == ["--follow"]:
        number, faults = follow(Path(arguments[1]).resolve())
        if not number:
            faults.append("%s: no page has a link" % arguments[1])
        if not faults:
            print("site: %d links within %s lead somewhere" % (number, Path(arguments[1]).name))
    else:
        faults = build()
        if arguments == ["--browser"] and not faults:
            faults = look()
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main(sys.argv[1:])
