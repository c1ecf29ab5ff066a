#!/usr/bin/env bash
# From a Word file with tracked changes python-docx reads a text that nobody wrote: neither the deleted nor the inserted
# words are in it. docx2txt and mammoth read the corrected text; none reads the source or warns of the changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check python-docx==1.2.0 docx2txt==0.9 mammoth==1.13.0
"$folder/venv/bin/python" - "$folder/essay.docx" <<'PYTHON'
import sys
from importlib.metadata import version

import docx
import docx2txt
import mammoth
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

path = sys.argv[1]
for package in ("python-docx", "docx2txt", "mammoth"):
    print(package, version(package))
# "He go to school." with the tracked correction of "go" to "goes".
document = docx.Document()
paragraph = document.add_paragraph("He ")
change = f'{nsdecls("w")} w:id="1" w:author="teacher" w:date="2026-01-01T00:00:00Z"'
paragraph._p.append(parse_xml(f"<w:del {change}><w:r><w:delText>go</w:delText></w:r></w:del>"))
paragraph._p.append(parse_xml(f"<w:ins {change}><w:r><w:t>goes</w:t></w:r></w:ins>"))
paragraph.add_run(" to school.")
document.save(path)
with open(path, "rb") as stream:
    converted = mammoth.extract_raw_text(stream)
texts = {
    "python-docx": docx.Document(path).paragraphs[0].text,
    "docx2txt": docx2txt.process(path),
    "mammoth": converted.value.rstrip("\n"),
}
print(texts, converted.messages)
assert texts == {
    "python-docx": "He  to school.",
    "docx2txt": "He goes to school.",
    "mammoth": "He goes to school.",
}, "the behaviour changed"
assert not converted.messages, "the behaviour changed"
PYTHON
