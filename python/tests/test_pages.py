"""Tests that the pages' examples run unchanged and print the output on the pages, and that notebooks run."""

import contextlib
import glob
import io
import json
import os
import re
import unittest

import libweft

PAGES = [f"{libweft.ROOT}/docs/{name}.md" for name in ("python", "ai-simulators", "verify-your-nic")]
NOTEBOOKS = sorted(glob.glob(f"{libweft.ROOT}/python/notebooks/*.ipynb"))


class Pages(unittest.TestCase):
    def setUp(self):
        before = os.getcwd()
        os.chdir(libweft.ROOT)
        self.addCleanup(os.chdir, before)

    def test_the_examples_of_the_pages(self):
        for path in PAGES:
            with open(path, encoding="utf-8") as file:
                page = file.read()
            examples = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", page, re.S)
            self.assertLessEqual(len(examples[0][0].splitlines()), 20, "the first example is one to paste")
            names = {}
            # A test of cocotb needs a simulator: scripts/scoreboard.py.
            for code, says in (each for each in examples if "import cocotb" not in each[0]):
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    exec(compile(code, path, "exec"), names)
                self.assertEqual(said.getvalue(), says, code)

    def test_notebooks(self):
        if not os.environ.get("WEFT_SOAK"):
            self.skipTest("soak: some seconds each")
        try:
            import cocotb  # noqa: F401
            import matplotlib  # noqa: F401
        except ImportError as error:
            self.skipTest(f"{error.name} is not installed: scripts/setup.sh extra")
        self.assertTrue(NOTEBOOKS)
        for path in NOTEBOOKS:
            with open(path, encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            names = {}
            os.chdir(os.path.dirname(path))
            for number, cell in enumerate(cells):
                if cell["cell_type"] == "code":
                    with contextlib.redirect_stdout(io.StringIO()), self.subTest(path=path, cell=number):
                        exec(compile("".join(cell["source"]), f"{path}, cell {number}", "exec"), names)


if __name__ == "__main__":
    unittest.main()
