"""Rules about writes."""

import pytest

from tests.checks.outputs import (
    CAT,
    LOCAL,
    LOOPBACK,
    NFS,
    READ,
    commanded,
    findings,
    iozone,
    loaded,
    one,
    scaled,
    severities,
    two,
    without,
)


def test_write_back(tmp_path):
    text = scaled(iozone("local-ext4"), READ, 0.25, rows="8192")
    [found] = findings(one(tmp_path, text, LOCAL), "write-back")
    assert "iozone -e " in found["advice"]


def test_write_back_is_silent_when_flushed(tmp_path):
    text = scaled(iozone("local-ext4"), READ, 0.25, rows="8192")
    text = commanded(text, f"{CAT} -e -f /mnt/t")
    assert findings(one(tmp_path, text, LOCAL), "write-back") == []
    assert findings(one(tmp_path / "other", iozone(), LOCAL), "write-back") == []


def test_durability_differs(tmp_path):
    [found] = [
        row
        for row in findings(loaded(LOOPBACK), "durability-differs")
        if row["severity"] == "error"
    ]
    assert found["system"] == (
        "local-ext4, local-xfs, nfs-v4.2-async, smb-2.1, smb-3.0, smb-3.1.1"
    )
    assert found["tool"] == "iozone, bonnie++, rsync"


@pytest.mark.parametrize(
    "said,fires",
    [
        ('durability = "sync"', True),
        ('export_options = "rw,sync,no_subtree_check"', True),
        ('export_options = "sync always = yes"', False),
        ('export_options = "sync always = yes, strict sync = no"', False),
        ('export_options = "strict sync = yes, sync always = yes"', True),
        ('export_options = "strict sync = yes, sync always = no"', False),
        ('durability = "async"', False),
        ('mount_options = "rw,discard=async"', False),
    ],
)
def test_durability_in_words(tmp_path, said, fires):
    toml = (
        '[[system]]\nname = "a"\ndurability = "async"\n'
        f'[[system]]\nname = "b"\n{said}\n[facts]\n'
    )
    campaign = two(tmp_path, iozone(repeat=1), iozone(repeat=2), toml)
    assert severities(campaign, "durability-differs") == ["error"] * fires


def test_flags_decide_not_words_in_the_banner(tmp_path):
    words = "Include close in write timing"
    text = without(commanded(iozone(), "iozone -Ra -z -f /mnt/t"), words)
    campaign = one(tmp_path, text + f"\n{words}\n")
    [found] = findings(campaign, "unflushed-network-write")
    assert found["message"].startswith("neither -c nor -e")


def test_unflushed_network_write_without_cells_names_no_fastest(root):
    published = loaded(root / "data/published/1-windows-linux-nfs")
    [found] = findings(published, "unflushed-network-write")
    assert found["evidence"].endswith("-b windowsnfs.xls")


@pytest.mark.parametrize(
    "protocol,asked,advice",
    [("nfs", "asks the server", "export with sync"), ("smb", "need not ask", "-e ")],
)
def test_closing_asks_for_stable_storage_over_nfs_alone(
    tmp_path, protocol, asked, advice
):
    text = commanded(iozone(), "iozone -ac -n 64k -g 8m -f /mnt/t")
    facts = NFS.replace('"nfs"', f'"{protocol}"')
    assert f'"{protocol}"' in facts
    [found] = findings(one(tmp_path, text, facts), "unflushed-network-write")
    assert asked in found["message"]
    assert advice in found["advice"]
