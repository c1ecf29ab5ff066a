#!/bin/sh
# Score, compare, look, report: prints each command and the part of its output to read first (make demo).
# Usage: examples/demo.sh FOLDER_OF_THE_REPORT
set -e
mkdir -p "$1"
report=$(cd "$1" && pwd)/report.html
cd "$(dirname "$0")"
data='-s source.txt -r ref0.txt ref1.txt'

# say QUESTION COMMAND FILTER: print the question and the command, and the command's output through the filter.
say() {
    printf '\n%s\n$ geceval %s\n' "$1" "$2"
    # shellcheck disable=SC2086 # the words of the command and its patterns of files
    geceval $2 | sed -nE "$3"
}

say 'How good are three systems, by every metric that needs no download?' \
    "score $data --gold gold.m2 -c systems/*.txt -q --no-checks -m green gleu maxmatch errant cleme cleme2 goto spans net-benefit false-alarms" \
    '/^$/q;p'
printf 'FALSE-ALARMS: share of the correct sentences that a system changes, lower is better. NET-BENEFIT has no limit.\n'
say 'Is the best one really better?' "compare $data -c systems/careful.txt systems/eager.txt -m errant" '/difference shown|: eager is/p'
say 'Where does it fail?' "show $data -c systems/careful.txt systems/eager.txt -m errant --system eager --worse-than careful --limit 1" '3,$p'
geceval report $data -c systems/*.txt -m errant green gleu cleme cleme2 --title 'The systems of examples/' -q -o "$report"
printf '\nAll of it, with charts and every sentence: open %s in a browser.\n' "${report#"$(cd .. && pwd)/"}"
printf 'Your own files: . .venv/bin/activate, then geceval --help. A recipe for each task: README.md\n'
