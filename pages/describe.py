"""The section "The picture in words and numbers" of a lab: for whoever does not see the picture, or wants its numbers."""

from __future__ import annotations

from core.descriptions.document import describe_picture
from core.lesson.browser_view import browser_view
from core.lesson.lab import Lab
from core.lesson.pictures import Picture, drawn_pictures
from core.lesson.story import SHARED

NAME = "describe"


def show(lab: Lab) -> None:
    """Draw the section, closed until the learner opens it; nothing where the lab has drawn no picture."""
    pictures = drawn_pictures()
    if pictures and (box := lab.open_fold(NAME, SHARED.label("describe.table"))):
        told = [
            tell_picture(lab, each, number, len(pictures)) for number, each in enumerate(pictures, start=1)
        ]
        data = {"pictures": told, "lesson": lab.name}
        with box:
            browser_view("description", data, lab.key("description"), on={"step": lab.take_step})


def tell_picture(lab: Lab, picture: Picture, number: int, count: int) -> dict:
    """Return a picture's title, its sentence and its description, as the view "description" is sent them."""
    told = describe_picture(picture.view, picture.make())
    title = SHARED.label("describe.table" if count == 1 else "describe.picture", number=number, count=count)
    fields = {name: getattr(told, name) for name in ("sentence", "axes", "columns", "rows")}
    at = lab.step_kept(picture.step) if picture.step else None
    return {"title": title, "alt": picture.alt, **fields, "step": picture.step, "at": at}
