"""What sessions share and may hold: the quota of uploads, memory that is given back."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.cache import evict_idle

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

BYTES_AT_MOST = 30 << 20  # of all files of one session: three of the largest allowed
FILES_AT_MOST = 50
TRIM_EVERY = 60.0  # seconds; a full garbage collection takes a quarter of a second
OVER_QUOTA = "application/x-attend-over-quota"  # the type of a file that was refused
SENTENCE = (
    f"The files that you have given so far and this one are more than {BYTES_AT_MOST >> 20} MB together, so it was not "
    "kept. What you gave before is as it was: take one of those files away with its ×, then give this one again."
)


def upload(label: str, **options) -> UploadedFile | None:
    """Draw a field for one file and return the file; None if there is none or the session is over its quota."""
    file = st.file_uploader(label, **options)
    if file is None or file.type != OVER_QUOTA:
        return file
    st.warning(SENTENCE)
    return None


async def trim_memory_periodically(every: float = TRIM_EVERY) -> None:
    """Every `every` seconds, evict idle cache entries, collect garbage, and return free memory to the system.

    Objects of ended sessions form reference cycles. Only a full collection frees them, and Python runs one too rarely. glibc
    keeps freed memory for itself until malloc_trim is called.
    """
    while True:
        await asyncio.sleep(every)
        evict_idle()
        gc.collect()
        if trim := getattr(ctypes.pythonapi, "malloc_trim", None):
            await asyncio.to_thread(trim, 0)
