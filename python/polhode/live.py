"""Pages in the browser."""

from __future__ import annotations

import base64
import html
import json
import time
import weakref
import webbrowser
from typing import Any

from . import _core


class LivePage:
    """The page of `polhode live`, served in the background until stop() or until Python ends.

    `url` is what to open in a browser; in a notebook the page is shown below the cell.
    """

    def __init__(self, page: Any, height: int):
        self._page, self._height = page, height
        self.url: str = page.url
        self._at_exit = weakref.finalize(self, page.stop)

    def open(self) -> "LivePage":
        """Opens it in the browser."""
        webbrowser.open(self.url)
        return self

    def wait(self) -> None:
        """Serves until Ctrl-C, for programs that have nothing else to do."""
        try:
            while self._at_exit.alive:
                time.sleep(0.1)
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Ends it, and closes its recording."""
        self._at_exit()

    def _repr_html_(self) -> str:
        return (f'<iframe src="{html.escape(self.url)}" width="100%" height="{self._height}" '
                f'style="border:0"></iframe><p><a href="{html.escape(self.url)}" target="_blank">{self.url}</a></p>')

    def __repr__(self) -> str:
        return f"<polhode.LivePage {self.url}>"


class Player:
    """A run in three dimensions, as a page that needs nothing else: in a notebook it is shown below the cell and
    stays there; save(path) writes it as an HTML file."""

    def __init__(self, page: str, height: int):
        self.html, self._height = page, height

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{self._height}" '
                f'style="border:0" allow="fullscreen"></iframe>')

    def __repr__(self) -> str:
        return f"<polhode.Player, {len(self.html) / 1e6:.1f} MB>"


def player_page(name: str, recording: Any, file: Any, most_bytes: int) -> str:
    """The live page with a finished run inside. Long runs are thinned to about `most_bytes` of frames."""
    scene, frames = _core.finished_run(name, recording, file)
    rows = len(recording.values)
    length = len(frames) // rows if rows and len(frames) % rows == 0 else 0
    every = -(-len(frames) // most_bytes)
    if length and every > 1:
        kept = [frames[row * length:(row + 1) * length] for row in range(0, rows, every)]
        kept.append(frames[-length:])
        frames = b"".join(kept)
    script, style = _core.page_parts()
    inside = json.dumps({"scene": json.loads(scene), "frames": base64.b64encode(frames).decode()})
    inside = inside.replace("<", "\\u003c")
    script = script.replace("</script", "<\\/script")
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
            f"<title>{html.escape(name)}</title><style>{style}</style></head><body>"
            f"<script>window.polhodeRun = {inside}</script><script>{script}</script></body></html>")
