"""README.md shows Python in few lines."""

from __future__ import annotations

from support.pages import blocks


def test_python_of_the_readme_is_a_loop_a_reward_and_a_data_frame_in_fifteen_lines() -> None:
    [block] = [block for block in blocks("README.md") if block.kind == "python"]
    code = [line for line in block.lines if line.strip()]
    assert len(code) <= 15
    for name in ("Scorer", "rewards", "to_pandas"):
        assert any(name in line for line in code)
