"""The examples are tests as well: their RUN and CHECK lines are read as those of tests/."""

import os

here = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(here, os.pardir, "tests", "lit.cfg.py"))
config.name = "silc examples"
config.test_source_root = here
config.test_exec_root += "-examples"
