"""Run all parts of ``make fuzz``, and list the failures at the end: PYTHONPATH=tests python -m fuzz.parts --seconds 60

A part gets a third of the time. All parts run, also after one that fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fuzz.run import cache, say


@dataclass(frozen=True)
class Part:
    """A command, the lines of its output that name a failure, and the command that repeats such a failure.

    ``{}`` in ``repeat`` stands for the group of ``failure``.
    """

    words: Sequence[str]
    failure: str
    repeat: str
    environment: Mapping[str, str] = field(default_factory=dict)
    #: Status of a part that was ended when its time was over.
    at_end: int = 0

    def failures(self) -> Iterator[str]:
        """Run the part; yield a line for each failure."""
        settings = [f"{key}={shlex.quote(value)}" for key, value in self.environment.items()]
        command = " ".join([*settings, shlex.join(self.words)])
        say(f"+ {command}")
        environment = {**os.environ, **self.environment}
        with subprocess.Popen(
            self.words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as process:
            assert process.stdout is not None
            matches = []
            for line in process.stdout:
                say(line.removesuffix("\n"))
                if match := re.search(self.failure, line):
                    matches.append(" ".join([*settings, self.repeat.format(match[1])]))
        yield from dict.fromkeys(matches)
        if process.returncode not in (0, self.at_end) and not matches:
            yield f"{command}  # ended with status {process.returncode}"


def parts(seconds: int) -> list[Part]:
    """Return the parts for this time in all."""
    python, third, folder = sys.executable, -(-seconds // 3), cache()
    law = "cargo test --quiet --release --test fuzz --package geceval-core --target-dir".split()
    law += [str(folder / "target"), "--", "--nocapture", "--test-threads=2"]
    pytest = [python, "-m", "pytest", "-q", "-x"]
    side_by_side = "-n auto --maxprocesses=4 --dist=worksteal".split()
    return [
        Part(
            [python, "-m", "fuzz.run", "--seconds", str(third)],
            r"^FAILED (--only .*)$",
            f"{python} -m fuzz.run {{}}",
            {"PYTHONPATH": "tests"},
        ),
        Part(
            law,
            r"(\w+) --- FAILED$",
            f"{shlex.join(law)} {{}}",
            {
                "RUSTFLAGS": "--cfg fuzz",
                "GECEVAL_FUZZ_CACHE": str(folder / "kernel"),
                "GECEVAL_FUZZ_SECONDS": str(third // 4),
            },
        ),
        Part(
            ["timeout", str(third), *pytest, *side_by_side, "tests/fuzz/test_any_argument.py"],
            r"^FAILED (.+?)(?: - .*)?$",
            f"{shlex.join(pytest)} '{{}}'",
            {"HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"), "GECEVAL_EXAMPLES": "all"},
            at_end=124,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, help="time for all parts (default: 60)")
    seconds = parser.parse_args().seconds
    (cache() / "kernel").mkdir(parents=True, exist_ok=True)
    failures = [failure for part in parts(seconds) for failure in part.failures()]
    say(f"\n{len(failures)} failures" + "".join(f"\n  {failure}" for failure in failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
