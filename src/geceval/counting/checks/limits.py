"""Thresholds of the checks, and numbers of examined lines."""

from geceval.counting.checks.check_table import threshold


class Limits:
    """Numbers of examined lines, and thresholds of the checks; shares are of lines, tokens, marks or letters."""

    #: Numbers of examined lines: ``leading`` lines at the beginning, then stretches of ``stretch`` lines, with one line
    #: in ``one_in`` in the first stretch, one in twice as many in the next, and so on.
    leading = 300
    stretch = 50
    one_in = 10
    #: Number of lines in which punctuation, quotes, accents, and letters and words of the source are examined.
    marked = 100
    #: Number of characters of a line in which letters and artefacts are examined.
    characters = 4096
    #: Smallest number of lines of a checked text, and of one whose tokens are checked.
    least = 20
    least_tokens = 2

    #: Share of lines that have less than half of their tokens in common with the source (Dice), among lines of at
    #: least four tokens; share of lines without words while the source has words; share of either within one stretch.
    unlike = threshold("overlap", "share")
    empty = threshold("empty", "share")
    within = 0.5
    #: Shifts that are then tried on the lines of ``window``, counted from 0.
    shifts = (-6, 6)
    window = (10, 210)
    #: Number of lines that are kept to try the shifts.
    head = window[1] + shifts[1]
    #: Number of the last lines on which the shifts are tried if more than half of them are unlike.
    last = 12
    #: Number of last lines that are kept.
    tail = last - shifts[0]

    #: Number of lines that a check of lines names; it reports more lines only. Checks whose hint is to clean lines
    #: report more than one line in ``one_in`` of a short file; if their share is 0, they report each line. For
    #: empty lines and refusals see LineCheck.certain.
    odd = 3
    #: Number of suspicious lines of a system that are cleaned, to state how many stay suspicious.
    tried = 10_000

    #: Number of lines of a file on which steps that remove artefacts are tried.
    examples = 100
    distorted = threshold("artefact", "distorted")

    letters_alike = threshold("letters", "number")
    same_letters = threshold("letters", "same")
    faulty = threshold("letters", "faulty")
    accented = threshold("letters", "accented")
    frequent, rare = threshold("letters", "frequent"), threshold("letters", "rare")
    quotes = threshold("quotes", "marks")

    corrected = threshold("swapped", "share")
    changes = threshold("swapped", "changes")
    suspected = threshold("swapped", "suspected")
    #: Number of the line up to which all lines of suspected texts are examined.
    suspects = 2000
    most_changes = int(threshold("swapped", "most_changes"))

    foreign = threshold("english", "foreign")
    unknown = threshold("english", "unknown")
    words = threshold("english", "words")
    letters = threshold("english", "letters")
