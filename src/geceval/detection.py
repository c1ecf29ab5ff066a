"""Read or derive labels of tokens, and score them (docs/detection.md)."""

from geceval.scoring.detection import Detection as Detection
from geceval.scoring.detection import Extraction as Extraction
from geceval.scoring.detection import Labelled as Labelled
from geceval.scoring.detection import of_correction as of_correction
from geceval.scoring.detection import of_edits as of_edits
from geceval.scoring.detection import of_m2 as of_m2
from geceval.scoring.detection import read as read
from geceval.scoring.detection import score as score
