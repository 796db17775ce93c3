"""How kernels are reached."""

import pytest

from fsviz.report import execute


@pytest.mark.parametrize(
    "name, transport", [("run", "ipc"), ("as long as a folder may be" * 5, None)]
)
def test_kernels_open_no_port_where_a_socket_of_ours_will_do(
    tmp_path, monkeypatch, name, transport
):
    """A port that was free a moment ago was another program's: no page."""
    monkeypatch.setattr(execute, "run_folder", lambda: tmp_path / name)
    own, other = (execute._config().get("KernelManager", {}) for _ in range(2))
    assert own.get("transport") == transport
    if transport:
        assert own["ip"] != other["ip"]
        assert own["ip"].startswith(str(tmp_path / name))
