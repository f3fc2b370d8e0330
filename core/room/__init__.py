"""A room: a class follows a lecture on its own phones, votes before an answer is shown, and says when it is lost."""
