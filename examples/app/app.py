"""Paste texts or drop files, and read scores, a verdict and the report in the browser.

pip install 'geceval[report]' gradio
python examples/app/app.py    # http://127.0.0.1:7860; texts stay on this machine
"""

from __future__ import annotations

import csv
import html
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

METRICS = ("errant", "green", "gleu", "cleme")
LANGUAGES = {"English": "en", "German": "de", "Czech": "cs", "Chinese": "zh", "other": "plain"}
EXAMPLES = Path(__file__).resolve().parents[1]


class CommandError(Exception):
    """The message of a geceval command that failed."""


def run(*words: str) -> tuple[str, str]:
    """Run a geceval command and return its output and its warnings."""
    process = subprocess.run([sys.executable, "-m", "geceval", *words], capture_output=True, encoding="utf-8")
    if process.returncode:
        raise CommandError(process.stderr.strip())
    return process.stdout, process.stderr


def evaluate(
    source: str, references: Sequence[str], systems: Sequence[str], metrics: Sequence[str], language: str
) -> tuple[list[list[str]], str, str, str]:
    """Return the scores as rows with a head, the verdict, the warnings, and the report as HTML.

    Args:
        source: Path of the sentences with errors.
        references: Paths of the corrections of each annotator.
        systems: Paths of the outputs to score.
        metrics: Names of metrics.
        language: Language of the annotator.

    Raises:
        CommandError: geceval cannot use the files.
    """
    data = ["-s", source, "-r", *references, "-c", *systems, "-m", *metrics, "--language", language]
    table, warnings = run("score", *data, "-f", "csv")
    verdict = ""
    if len(systems) > 1:
        compared, _ = run("compare", *data, "-q")
        verdict = compared.strip().rpartition("\n\n")[2]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        run("report", *data, "-q", "-o", str(page))
        report = page.read_text(encoding="utf-8")
    return list(csv.reader(table.splitlines())), verdict, warnings, report


def interface() -> Any:
    """Return the Gradio app."""
    import gradio as gr

    def shown(
        source: str, references: list[str], systems: list[str], metrics: list[str], language: str
    ) -> tuple[Any, ...]:
        if not (source and references and systems and metrics):
            return None, "", "Give the source, at least one reference, one output and one metric.", ""
        try:
            rows, verdict, warnings, report = evaluate(source, references, systems, metrics, LANGUAGES[language])
        except CommandError as error:
            return None, "", str(error), ""
        frame = f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(report)}"></iframe>'
        return gr.Dataframe(rows[1:], headers=rows[0]), verdict, warnings, frame

    def pasted(source: str, reference: str, correction: str, metrics: list[str], language: str) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory() as folder:
            paths = [str(Path(folder, f"{name}.txt")) for name in ("source", "reference", "correction")]
            for path, text in zip(paths, (source, reference, correction), strict=True):
                Path(path).write_text(f"{text.strip()}\n", encoding="utf-8")
            return shown(paths[0], [paths[1]], [paths[2]], metrics, language)

    style = "iframe { width: 100%; height: 80vh; border: 1px solid #8886 }"
    with gr.Blocks(title="geceval") as app:
        gr.HTML(f"<style>{style}</style><h1>geceval</h1>Evaluate grammatical error correction: one sentence per line.")
        with gr.Row():
            metrics = gr.CheckboxGroup(METRICS, value=list(METRICS[:3]), label="Metrics")
            language = gr.Dropdown(list(LANGUAGES), value="English", label="Language")
        with gr.Tab("Files"):
            with gr.Row():
                source = gr.File(label="Source", height=140)
                references = gr.File(label="References, a file per annotator", file_count="multiple", height=140)
                systems = gr.File(label="Outputs, a file per system", file_count="multiple", height=140)
            with gr.Row():
                score_files = gr.Button("Score the files", variant="primary")
                load = gr.Button("Load the examples")
        with gr.Tab("Text"):
            with gr.Row():
                texts = [gr.Textbox(label=label, lines=6) for label in ("Source", "Reference", "Correction")]
            score_texts = gr.Button("Score the text", variant="primary")
        results = [
            gr.Dataframe(label="Scores", interactive=False),
            gr.Textbox(label="Verdict", interactive=False),
            gr.Textbox(label="Errors and warnings", interactive=False),
            gr.HTML(label="Report"),
        ]
        score_files.click(shown, [source, references, systems, metrics, language], results)
        score_texts.click(pasted, [*texts, metrics, language], results)
        files = [["source.txt"], ["ref0.txt", "ref1.txt"], ["systems/careful.txt", "systems/eager.txt"]]
        [[source_path], *other_paths] = [[str(EXAMPLES / name) for name in names] for names in files]
        load.click(lambda: (source_path, *other_paths), None, [source, references, systems])
    return app


if __name__ == "__main__":
    interface().launch(allowed_paths=[str(EXAMPLES)])
