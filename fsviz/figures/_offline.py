"""Chromium for pictures and paper: it reaches no server, in its sandbox if it can be.

A page on its way to paper is made of someone's files. Escaping and the page's own
policy keep it from asking for anything; here the browser could not even if it did.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import MutableMapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from fsviz.model.run_folder import run_folder

CLOSED = "http://127.0.0.1:9"
"""A proxy that is not there: port 9 is for what is to be discarded (RFC 863)."""

_WEAKER = (
    "--disable-web-security",
    "--allow-file-access-from-files",
    "--disable-popup-blocking",
)
"""What choreographer asks for and no page of ours needs."""

_OFFLINE = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # else what is on this machine is asked without the proxy
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
)

_ONE_WINDOW = (
    # kaleido opens one of its own
    "--no-startup-window",
    # two pages of Chromium's own wait behind its address bar
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)
"""What nobody sees takes as much of the processor as half a figure."""

_WITH_PIPES = ("/bin/sh", "-c", '"$0" "$@" 3<&0 4>&1; echo "{bye}"')
"""What choreographer's wrapper does, which is a Python program that starts as long as a
browser: the browser reads from 3 and writes to 4, and its end is told."""

_PROBE = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x10000000) != 0)"
"""Ask for a user namespace (CLONE_NEWUSER), on which the sandbox is built."""


@cache
def sandbox_works() -> bool:
    """Say whether this machine lets Chromium have its sandbox.

    Chromium refuses to start with one for root, and on Linux it needs user namespaces:
    https://chromium.googlesource.com/chromium/src/+/main/docs/linux/sandboxing.md
    """
    if sys.platform != "linux":
        return True
    if os.geteuid() == 0:
        return False
    probe = [sys.executable, "-I", "-c", _PROBE]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


_PRINTING = (
    "--headless",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-component-update",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--enable-unsafe-swiftshader",  # draws 3D panels where there is no graphics card
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)


def printing_options(folder: str) -> list[str]:
    """List the options for printing a page; the profile goes into a folder."""
    boxed = [] if sandbox_works() else ["--no-sandbox"]
    own = [f"--user-data-dir={folder}/profile", f"--proxy-server={CLOSED}"]
    return [*_PRINTING, *boxed, *own, *_OFFLINE]


def offline_chromium() -> type:
    """Make the class that kaleido starts its browser with."""
    from choreographer.browsers.chromium import Chromium

    class OfflineChromium(Chromium):
        def __init__(self, channel: Any, path: Any = None, **more: Any) -> None:
            ours = {"enable_sandbox": sandbox_works(), "proxy_server": CLOSED}
            super().__init__(channel, path, **(more | ours))

        def pre_open(self) -> None:
            if self.is_isolated():  # a snap has another /tmp
                super().pre_open()
            else:
                profile = f"profile-{secrets.token_hex(4)}"
                self.tmp_dir = SimpleNamespace(path=run_folder() / profile)  # type: ignore[assignment]

        def clean(self) -> None:
            # the folder of this run goes with all that is in it
            if self.is_isolated():
                super().clean()

        def get_env(self) -> MutableMapping[str, str]:
            return {**super().get_env(), "TMPDIR": str(run_folder())}

        def get_cli(self) -> Sequence[str]:
            asked = [word for word in super().get_cli() if word not in _WEAKER]
            if sys.platform != "win32":
                asked[:2] = _WITH_PIPES
            return [*asked, *_ONE_WINDOW, *_OFFLINE]

    return OfflineChromium
