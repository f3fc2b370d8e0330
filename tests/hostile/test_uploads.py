"""What a learner uploads is read in memory, however large a file the course takes."""

import tomllib

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser

import app
from tests import own_loop

MOST = tomllib.loads((app.ROOT / ".streamlit" / "config.toml").read_text())["server"]["maxUploadSize"] << 20


def test_the_largest_file_is_never_written_to_the_disk():
    async def body():
        yield b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'
        for _ in range(MOST >> 20):
            yield b"a" * (1 << 20)
        yield b"\r\n--x--\r\n"

    parser = MultiPartParser(Headers({"content-type": "multipart/form-data; boundary=x"}), body())
    form = own_loop.run(parser.parse())
    assert form["f"].size == MOST
    assert form["f"]._in_memory
