"""The collector of training texts: readers, sentences, and the filter for evaluation texts."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
from tests.support.scripts import import_script

texts = pytest.importorskip("tomllib") and import_script("research/tagger_texts.py")


def read(reader: str, text: str) -> list[str]:
    return [line for line in texts.READERS[reader]([text]) if line]


def test_text_is_split_into_plain_sentences() -> None:
    text = "CHAPTER ONE\nDr. Who isn’t here. “Go home. He left.”\nSee https://example.org now.\nx = {1}.\nIn 1990 he"
    assert read("text", text) == ["Dr. Who is n't here .", "Go home .", "He left ."]


def test_conllu_words_are_kept_without_ranges_and_empty_nodes() -> None:
    rows = ["# text = x", "1-2\tdon't\t_", "1\tdo\tdo", "2\tn't\tnot", "2.1\tnull\t_", "3\tgo\tgo"]
    assert read("conllu", "\n".join(rows) + "\n\n") == ["do n't go"]


def test_tagged_words_lose_their_tags() -> None:
    assert read("tagged", "He_PRP ran_VBD snake_case_NN ._.\n[_SYM smiles_VBZ ]_SYM\n") == ["He ran snake_case ."]


def test_markup_keeps_paragraphs_without_lists_notes_and_formulas() -> None:
    text = """<document><title/><title>A Title That Is Left Out.</title>
      <para id="a">The <term>first</term> one stays.<footnote>Not this.</footnote>
        <list><item>Nor this item here.</item></list>This one stays.</para>
      <para>Here <m:math><m:mi>x</m:mi></m:math> is lost. So is <link target-id="f"/> here. The last one stays.</para>
      <section class="references"><para>A reference is left out.</para></section></document>"""
    assert read("markup", text) == ["The first one stays .", "This one stays .", "The last one stays ."]
    assert read("markup", '<div class="para">It &amp; he run <code>ls</code> now. They stay.</div>') == ["They stay ."]


def test_markdown_keeps_paragraphs_without_code_and_lists() -> None:
    text = "# Heading.\n\nA [link](http://x.org) that\n*wraps* here.\n\n* An item.\n\n```\nCode.\n```\n\nUse `ls` now."
    assert read("markdown", text) == ["A link that wraps here ."]


def test_wikitext_marks_are_undone() -> None:
    text = " = Heading = \n A well @-@ known group of 1 @,@ 000 persons . The <unk> one . Another line .\n"
    assert read("wikitext", text) == ["A well - known group of 1,000 persons .", "Another line ."]


def test_wordnet_examples_are_sentences() -> None:
    assert read("wordnet", 'n 1 | a gloss; "He ran"; "a fragment"; "what is it?"') == ["He ran", "what is it ?"]


def test_sentences_that_share_eight_tokens_are_left_out(tmp_path: Path) -> None:
    m2 = "S a b c d e f G x i\nA 7 8|||R:NOUN|||h|||REQUIRED|||-NONE-|||0\n\n"
    (tmp_path / "conll14.m2").write_text(m2, "utf-8")
    (tmp_path / "short.txt").write_text("So be it now\n", "utf-8")
    evaluation_hashes, unchecked = texts.evaluation_windows([tmp_path], {"CoNLL-2014": "*conll14*", "FCE": "*fce*"})
    assert unchecked == ["FCE"]
    source, corrected, seven = "Q A b c d e f g x", "A B C D E F G H Z", "z a b c d e f g z"
    lines = [
        source,
        corrected,
        seven,
        "So be it now",
        "So be it now ,",
        "too short",
        seven,
        "w " * 60 + "w",
        "a \0 b c",
    ]
    assert texts.choose(lines, evaluation_hashes, set()) == ([seven, "So be it now ,"], 3)
    assert texts.choose([seven], evaluation_hashes, {seven}) == ([], 0)


@pytest.mark.parametrize("mirrored", [True, False])
def test_files_of_a_commit_are_obtained(tmp_path: Path, mirrored: bool) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        return subprocess.run(
            ["git", *identity, *arguments], cwd=origin, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    origin = tmp_path / "owner/name"
    (origin / "a").mkdir(parents=True)
    (origin / "a/one.txt").write_text("One line.\n", "utf-8")
    (origin / "a/two.txt").write_text("Another.\n", "utf-8")
    (origin / "b.txt").write_text("Not chosen.\n", "utf-8")
    with zipfile.ZipFile(origin / "a/three.zip", "w") as archive:
        archive.writestr("inner.txt", "In a zip.\n")
        archive.writestr("README", "Not read.\n")
    git("init", "--quiet")
    git("config", "uploadpack.allowFilter", "true")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    git("add", ".")
    git("commit", "--quiet", "--message=m")
    commit = git("rev-parse", "HEAD")
    git("clone", "--quiet", "--bare", ".", str(tmp_path / "mirror/owner+name/repo"))
    source = texts.Source("s", "l", "text", ["a/*"], "", origin.as_uri(), commit, leave_out=["*/two.txt"])
    files = texts.obtain(source, tmp_path / "mirror" if mirrored else None)
    assert [path for path, _ in files] == ["a/one.txt", "a/three.zip"]
    assert list(texts.contents(files)) == ["One line.\n", "In a zip.\n"]
    assert texts.checksum(files) != texts.checksum(files[:1])


def test_manifest_is_complete() -> None:
    manifest = texts.tomllib.loads(texts.MANIFEST.read_text("utf-8"))
    sources = [texts.Source(**entry) for entry in manifest["source"]]
    assert len({source.name for source in sources}) == len(sources)
    for source in sources:
        assert source.reader in texts.READERS
        assert len(source.sha256) == 64
        assert bool(source.git and source.commit) != bool(source.debian and source.version)
