"""``geceval report``: scores, differences, types and sentences of systems as one HTML file."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from geceval.arguments import COUNT
from geceval.cli.common import (
    add_blocks_argument,
    add_checks_argument,
    add_data_arguments,
    add_guard_argument,
    add_metric_argument,
    add_report_arguments,
    labels_in,
    whole_number,
    writing,
)
from geceval.cli.compare import add_statistics_arguments, shows_source, statistics_of
from geceval.errors import GecevalWarning

EXAMPLES = """\
examples:
  geceval report -s source.txt -r ref0.txt ref1.txt -c careful.txt eager.txt -m green errant -o report.html
  geceval report --gold gold.m2 -c A=sys1.txt B=sys2.m2 -m errant maxmatch --title "Our systems" -o report.html
  geceval report -s source.txt -r ref*.txt -c sys*.txt -m green gleu errant --group levels.txt --sentences 400

The file needs no network and sends nothing anywhere; docs/report.md walks through one.
"""
