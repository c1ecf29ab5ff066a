"""Read or derive labels of tokens, and score them (docs/detection.md)."""

from geceval.studies.detection import Detection as Detection
from geceval.studies.detection import Extraction as Extraction
from geceval.studies.detection import Labelled as Labelled
from geceval.studies.detection import of_correction as of_correction
from geceval.studies.detection import of_edits as of_edits
from geceval.studies.detection import of_m2 as of_m2
from geceval.studies.detection import read as read
from geceval.studies.detection import score as score
