"""python -m weft_sim.sweep FILE ...: the same as `weft-sim sweep`, to be started by a batch system. Call weft_sim.sweep()."""

import sys

from .__main__ import main

if __name__ == "__main__":
    sys.exit(main(["sweep", *sys.argv[1:]]))
