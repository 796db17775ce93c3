"""Campaigns and stores on a real S3-compatible server, started here."""

import boto3
import pytest
from campaigns_made import TIME, iozone, put
from moto.server import ThreadedMotoServer
from pandas.testing import assert_frame_equal

import fsviz
from fsviz.model.errors import UsageError
from fsviz.store.ingest import ingest
from fsviz.store.load import load

pytestmark = [
    pytest.mark.slow,
    # of botocore and moto, about themselves
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def server():
    """A server, and the settings that people have in their environment."""
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
        yield boto3.client("s3")
    running.stop()


@pytest.fixture
def bucket(server):
    """An empty bucket."""
    server.create_bucket(Bucket="lab")
    yield server
    for key in keys(server):
        server.delete_object(Bucket="lab", Key=key)
    server.delete_bucket(Bucket="lab")


def carry(client, folder):
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        client.upload_file(str(path), "lab", str(path.relative_to(folder.parent)))


@pytest.fixture
def folder(tmp_path):
    files = {"a/r1.txt": iozone(1), "b/r1.txt": iozone(2), "b/t.txt": TIME.format(3)}
    return put(tmp_path / "camp", {**files, "b/bad.txt": "hello\n"})


def keys(client):
    found = client.list_objects_v2(Bucket="lab").get("Contents", ())
    return {one["Key"] for one in found}


def test_a_campaign_is_read_where_it_is(bucket, folder):
    carry(bucket, folder)
    there, here = load("s3://lab/camp"), load(folder)
    columns = [c for c in here.measurements if c != "source"]
    assert_frame_equal(there.measurements[columns], here.measurements[columns])
    assert set(there.runs["source"]) == {
        f"s3://lab/camp/{name}" for name in ("a/r1.txt", "b/r1.txt", "b/t.txt")
    }
    (problem,) = there.problems
    assert str(problem).startswith("s3://lab/camp/b/bad.txt:1: expected")


def test_a_store_is_written_there_with_its_manifest_last(bucket, folder, tmp_path):
    carry(bucket, folder)
    (first,) = ingest(["s3://lab/camp"], "s3://lab/store")
    assert first.fresh
    same = load("s3://lab/store", campaign="camp")
    ingest([str(folder)], tmp_path / "store")
    assert_frame_equal(
        same.measurements.drop(columns="source"),
        load(tmp_path / "store").measurements.drop(columns="source"),
    )
    # what is there already is not read again
    (again,) = ingest(["s3://lab/camp"], "s3://lab/store")
    assert not again.fresh
    put(folder, {"a/r2.txt": iozone(7)})
    carry(bucket, folder)
    (changed,) = ingest(["s3://lab/camp"], "s3://lab/store")
    assert changed.fresh
    assert len(load("s3://lab/store").runs) == 4
    stored = {k.split("/")[2] for k in keys(bucket) if k.startswith("store/camp/")}
    assert stored == {changed.kept.generation}


def test_some_of_it_comes_without_the_rest(bucket, folder):
    ingest([str(folder)], "s3://lab/store")
    part = fsviz.load("s3://lab/store", campaign="camp", tool="rsync")
    assert part.measurements["system"].unique().tolist() == ["b"]
    by_name = fsviz.load("s3://lab/store/camp", system="a", operation="read")
    assert set(by_name.measurements["operation"]) == {"read"}


def test_what_is_not_there_is_one_line(bucket):
    with pytest.raises(UsageError, match="expected a file or folder, found none"):
        load("s3://lab/nothing")
    with pytest.raises(UsageError, match="s3://none/x: expected"):
        load("s3://none/x")
    with pytest.raises(UsageError, match="expected an address that fsspec knows"):
        load("nonsense://x/y")
    (outcome,) = ingest(["s3://lab/nothing"], "s3://lab/store")
    assert "found none" in str(outcome.error)


def test_two_at_once_lose_nothing(bucket, folder, monkeypatch):
    from fsviz.store import remote

    ingest([str(folder)], "s3://lab/store")
    real = remote._manifest_there
    calls = []

    def meanwhile(system, path):
        calls.append(path)
        found = real(system, path)
        return found if len(calls) == 1 else found + b" "

    monkeypatch.setattr(remote, "_manifest_there", meanwhile)
    put(folder, {"a/r2.txt": iozone(7)})
    with pytest.raises(UsageError, match="nobody else writes"):
        ingest([str(folder)], "s3://lab/store")
    monkeypatch.undo()
    assert len(load("s3://lab/store").runs) == 3
