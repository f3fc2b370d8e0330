"""What a room refuses, as a sentence."""


class RoomError(Exception):
    """A sentence for whoever asked: why a room cannot do this."""
