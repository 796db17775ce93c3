"""What a report imports, and what it spares itself."""

import pytest
from program import python


@pytest.mark.slow
@pytest.mark.parametrize("module", ["_preload", "_kernel"])
def test_no_grammar_of_addresses_is_built_for_a_notebook(module):
    code = (
        f"import fsviz.report.{module}, sys; "
        "assert 'nbformat' in sys.modules; "
        "assert 'lark' not in sys.modules; "
        # nobody else is kept from it
        "import rfc3987_syntax"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_kernels_look_for_no_garbage_in_what_is_imported_for_them():
    code = (
        "import fsviz.report._preload, gc; "
        "assert gc.isenabled(); "
        "assert gc.get_freeze_count() > 50 * len(gc.get_objects())"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
