"""Tables of words: a row is an English word and the forms that another language has for it."""


def read_forms(table: str) -> dict[str, list[str]]:
    """Return the forms of each English word; rows are lines, or parts of a line between semicolons.

    >>> read_forms("dog hond honden; cat kat katten")
    {'dog': ['hond', 'honden'], 'cat': ['kat', 'katten']}
    """
    rows = (row.split() for row in table.strip().replace("\n", ";").split(";"))
    return {english: forms for english, *forms in rows}
