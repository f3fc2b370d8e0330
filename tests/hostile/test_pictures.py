"""Whatever is uploaded as a picture is read within bounds, or refused with a sentence; nothing of its metadata is kept."""

import random
import struct
import time
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, PngImagePlugin, WebPImagePlugin

from core.pictures import reading
from core.pictures.reading import BYTES_AT_MOST, KEPT_AT_MOST, PictureError, read_picture

SECRET = "42 Elm Street"


def file_of(image, kind, **options):
    content = BytesIO()
    image.save(content, kind, **options)
    return content.getvalue()


def gradient(mode="RGB", size=(40, 30)):
    rng = np.random.default_rng(0)
    return Image.fromarray(rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)).convert(mode)


def huge_png(width, height):
    """Return a few kilobytes that unfold into width x height grey pixels."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(10)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_loses_nothing_comes_back_pixel_by_pixel(kind):
    options = {"lossless": True} if kind == "WEBP" else {}
    read = read_picture(file_of(gradient(), kind, **options))
    np.testing.assert_array_equal(read.pixels, np.asarray(gradient()))
    assert read.notes == ()


def test_a_jpeg_is_read_nearly_as_it_was():
    flat = Image.new("RGB", (40, 30), (200, 30, 90))
    assert np.abs(read_picture(file_of(flat, "JPEG")).pixels.astype(int) - np.asarray(flat)).max() < 6


@pytest.mark.parametrize(
    ("width", "height"), [(60_000, 60_000), (20_000, 2_000), (5_000, 5_000), (2_000_000_000, 8)]
)
def test_a_picture_that_would_unfold_into_too_many_pixels_is_refused_unread(width, height):
    began = time.process_time()
    with pytest.raises(PictureError, match="at most 20 million"):
        read_picture(huge_png(width, height))
    assert time.process_time() - began < 1


@pytest.mark.parametrize(("width", "height"), [(100_000, 8), (8, 2_000_000), (409, 8)])
def test_a_picture_that_would_be_kept_as_a_line_is_refused_unread(width, height):
    with pytest.raises(PictureError, match="more than 50 times as long"):
        read_picture(huge_png(width, height))


def test_a_kilobyte_that_unfolds_into_25_million_pixels_is_refused_by_its_header(monkeypatch):
    webp = file_of(Image.new("RGB", (5000, 5000)), "WEBP", lossless=True)
    assert len(webp) < 2000
    monkeypatch.setattr(WebPImagePlugin.WebPImageFile, "load", lambda _: pytest.fail("It was unpacked."))
    with pytest.raises(PictureError, match="5,000 × 5,000 pixels; at most 20 million"):
        read_picture(webp)


def test_the_longest_picture_and_the_largest_are_read():
    assert read_picture(file_of(Image.new("L", (400, 8)), "PNG")).pixels.shape == (8, 400, 3)
    assert read_picture(file_of(Image.new("L", (5000, 4000)), "PNG")).pixels.shape == (410, 512, 3)


def test_a_bomb_in_a_png_s_text_is_refused():
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "a" * 20_000_000, zip=True)
    with pytest.raises(PictureError, match=r"damaged|no picture"):
        read_picture(file_of(gradient(), "PNG", pnginfo=notes))


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (7, 8)])
def test_a_picture_too_small_for_patches_is_refused(size):
    with pytest.raises(PictureError, match="too small to cut into patches"):
        read_picture(file_of(Image.new("RGB", size), "PNG"))


def test_an_empty_file_and_one_over_ten_megabytes_are_refused():
    with pytest.raises(PictureError, match="empty"):
        read_picture(b"")
    with pytest.raises(PictureError, match="at most 10 MB"):
        read_picture(bytes(BYTES_AT_MOST + 1))


@pytest.mark.parametrize(
    "data",
    [
        b"GIF89a" + bytes(40),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"%PDF-1.7",
        file_of(gradient(), "TIFF"),
        file_of(gradient(), "BMP"),
        file_of(gradient("P"), "GIF"),
    ],
)
def test_other_kinds_of_files_are_refused_whatever_they_are_called(data):
    with pytest.raises(PictureError, match="PNG, JPEG or WebP"):
        read_picture(data)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_cut_short_or_scribbled_on_is_read_or_refused_with_a_sentence(kind):
    whole, rng = file_of(gradient(), kind), random.Random(1)
    with pytest.raises(PictureError, match="damaged"):
        read_picture(whole[: len(whole) // 2])
    for _ in range(150):
        scribbled = bytearray(whole)
        for _ in range(rng.randint(1, 20)):
            scribbled[rng.randrange(len(whole))] = rng.randrange(256)
        try:
            read = read_picture(bytes(scribbled[: rng.randint(1, len(whole))]))
        except PictureError as error:
            assert str(error).endswith(".")
        else:
            assert read.pixels.dtype == np.uint8 and read.pixels.shape[2] == 3


def test_an_animated_picture_gives_its_first_frame_and_says_so():
    first, *others = (Image.new("RGB", (20, 20), colour) for colour in ("red", "blue", "green"))
    for kind in ("WEBP", "PNG"):
        read = read_picture(
            file_of(first, kind, save_all=True, append_images=others, lossless=True, duration=100)
        )
        assert read.pixels[10, 10].tolist() == [255, 0, 0]
        assert "of its 3 frames the first is read" in read.notes[0]


def test_a_picture_for_print_is_read_in_colours_of_the_screen_and_says_so():
    read = read_picture(file_of(Image.new("CMYK", (20, 20), (0, 255, 255, 0)), "JPEG"))
    red, green, blue = read.pixels[10, 10].tolist()
    assert red > 200 and green < 60 and blue < 60
    assert any("CMYK" in note for note in read.notes)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_is_white_and_said(mode):
    image = Image.new("RGBA", (20, 20), (255, 0, 0, 0)).convert(mode)
    options = {"transparency": image.getpixel((0, 0))} if mode == "P" else {}
    read = read_picture(file_of(image, "PNG", **options))
    assert read.pixels[10, 10].tolist() == [255, 255, 255]
    assert "What is transparent is shown on white." in read.notes


def test_sixteen_bits_a_pixel_become_eight():
    grey = Image.fromarray(np.full((20, 20), 257 * 100, dtype=np.uint16))
    assert set(read_picture(file_of(grey, "PNG")).pixels.ravel().tolist()) == {100}


@pytest.mark.parametrize("mode", ["1", "L", "P"])
def test_pictures_of_few_colours_are_read_as_they_look(mode):
    image = gradient(mode)
    np.testing.assert_array_equal(
        read_picture(file_of(image, "PNG")).pixels, np.asarray(image.convert("RGB"))
    )


def test_a_camera_s_turn_is_carried_out_and_nothing_else_of_its_notes_is_kept():
    image, exif = Image.new("RGB", (40, 20), "white"), Image.Exif()
    image.paste("black", (0, 0, 10, 20))  # a black stripe on the left; turned by 90 degrees it is on top
    exif[0x0112], exif[0x010E], exif[0x013B] = 6, SECRET, SECRET
    exif.get_ifd(0x8825)[2] = (52.0, 5.0, 0.0)
    read = read_picture(file_of(image, "JPEG", exif=exif, comment=SECRET.encode(), quality=95))
    assert read.pixels.shape == (40, 20, 3)
    assert read.pixels[3].mean() < 40 and read.pixels[30].mean() > 215
    assert read.notes == ("It is turned upright, as its camera noted.",)
    assert SECRET not in repr(vars(read)) and set(vars(read)) == {"pixels", "notes"}


def test_a_large_picture_is_kept_small():
    read = read_picture(file_of(Image.new("L", (4000, 3000), 7), "PNG"))
    assert read.pixels.shape == (KEPT_AT_MOST * 3 // 4, KEPT_AT_MOST, 3)


def test_memory_that_runs_out_is_a_sentence(monkeypatch):
    def too_much(_image):
        raise MemoryError

    monkeypatch.setattr(reading, "upright_colours", too_much)
    with pytest.raises(PictureError, match="too many pixels"):
        read_picture(file_of(gradient(), "PNG"))
