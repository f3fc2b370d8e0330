"""A notebook's cells, run as a notebook runs them: the last line of the last cell is its value."""


def value_of(cells, room=None):
    """Run the cells in `room` and return the value of the last line."""
    room = {} if room is None else room
    *lines, last = "\n".join(cells).rstrip().split("\n")
    exec("\n".join([*lines, f"_value = {last}"]), room)
    return room["_value"]
