"""What tests read of the notes on rows."""

ON_ROWS = {"order of rows", "equal rows", "same repeats", "rows in training and test"}


def codes(result):
    return [note.code for note in result.notes if note.code in ON_ROWS]


def text_of(result, code):
    (text,) = {note.text for note in result.notes if note.code == code}
    return text
