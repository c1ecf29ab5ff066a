"""Read or derive labels of tokens, and score them (docs/checkers.md)."""

from geceval.edits.corpus_edits import Extraction
from geceval.scoring.detection import Detection, Labelled, of_correction, of_edits, of_m2, score
from geceval.scoring.detection import read_labelled as read

__all__ = ["Detection", "Extraction", "Labelled", "of_correction", "of_edits", "of_m2", "read", "score"]
