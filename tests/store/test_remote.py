"""Stores behind an address: fsspec's file system in memory, and a real S3 server."""

import pytest
from campaigns_made import iozone, put
from pandas.testing import assert_frame_equal
from program import run

from fsviz.model.errors import FsvizError, UsageError
from fsviz.store.ingest import ingest
from fsviz.store.load import load


@pytest.fixture
def memory():
    """A file system that is gone after the test."""
    from fsspec.implementations.memory import MemoryFileSystem

    MemoryFileSystem.store.clear()
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()


@pytest.fixture(scope="module")
def server():
    """An S3 server, and the settings that people have in their environment."""
    import boto3
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        }.items():
            patch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket="lab")
        yield
    running.stop()


@pytest.fixture(params=["memory", pytest.param("s3", marks=pytest.mark.slow)])
def store(request):
    """The address of an empty store."""
    request.getfixturevalue("memory" if request.param == "memory" else "server")
    return f"{request.param}://lab/store"


# of botocore and moto, about themselves
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_store_behind_an_address_is_as_one_here(store, tmp_path):
    one = put(tmp_path / "one", {"a/r1.txt": iozone(1), "b/r1.txt": iozone(2)})
    two = put(tmp_path / "two", {"a/r1.txt": iozone(3), "b/bad.txt": "hello\n"})
    sources = [str(one), str(two)]
    assert [o.name for o in ingest(sources, store)] == ["one", "two"]
    assert [o.fresh for o in ingest(sources, store)] == [False, False]
    there, here = load(f"{store}/one.parquet"), load(one)
    assert_frame_equal(there.measurements, here.measurements)
    assert_frame_equal(there.runs, here.runs)
    with pytest.raises(UsageError, match="found a store of 2; name one of"):
        load(store)
    put(one, {"a/r9.txt": iozone(9)})
    assert [o.fresh for o in ingest(sources, store)] == [True, False]
    assert len(load(f"{store}/one.parquet").runs) == 3
    done = run("compare", f"{store}/one.parquet", "--format", "csv")
    assert done.stdout == run("compare", one, "--format", "csv").stdout


@pytest.mark.parametrize(
    "address, status, reason",
    [
        ("memory://nowhere/x.parquet", 1, "expected a stored campaign, found none"),
        ("memory://nowhere", 1, "expected the list of a store, found none"),
        ("nothing://x", 2, "expected an address that fsspec knows"),
    ],
)
def test_an_address_that_leads_nowhere(memory, address, status, reason):
    done = run("summary", address)
    assert done.returncode == status
    assert reason in done.stderr
    with pytest.raises(FsvizError):
        load(address)
