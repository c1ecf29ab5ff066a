"""Layouts of answers of language models: {} is the correction and [] the source.

Those from "italics" on were written by somebody who had not seen the rules, before the rules that read them.
"""

from __future__ import annotations

LAYOUTS = {
    "remark after an empty line": "{}\n\nLet me know if you have any questions!",
    "remark after three empty lines": "{}\n\n\n\nI hope this helps.",
    "blanks in place of lines": "{}  Explanation: the verb has to agree.",
    "introduction, list of changes": "Sure! Here is the corrected sentence:\n\n{}\n\nExplanation:\n"
    "- The verb has to agree with its subject.\n- The rest is fine.",
    "bold heads": "**Corrected sentence:** {}\n\n**Changes made:**\n1. The verb now agrees.\n2. A comma moved.",
    "headings": "### Corrected Sentence\n\n{}\n\n### Explanation\n\n* **Agreement**: singular subject",
    "fence": "```\n{}\n```",
    "fence with a language and remarks": "Here it is:\n\n```text\n{}\n```\n\nI changed the form of the verb.",
    "quotes": '"{}"\n\nI fixed the verb.',
    "quotation": "> {}\n\nThe verb was in the wrong form.",
    "check mark": "✅ {}",
    "check mark and label": "✅ **Corrected:** {}",
    "label": "Output: {}",
    "label with a description": "Corrected version of your sentence:\n{}",
    "final answer": "Step 1: find the verb.\nStep 2: change it.\n\nFinal answer: {}",
    "original and corrected": "**Original:** []\n\n**Corrected:** {}\n\n**Why:** agreement",
    "original and corrected on lines of their own": "Original:\n[]\n\nCorrected:\n{}",
    "source repeated": "[]\n{}",
    "mistakes first": "Errors:\n- wrong form of a verb\n\nCorrected sentence: {}",
    "two options": "1. {}\n2. It might be better to start from scratch here.",
    "offer at the end": "Corrected text:\n\n{}\n\nWould you like me to explain the changes?",
    "introduction without a colon": "I'd be happy to help with that.\n\n{}\n\nKey changes:\n- the verb",
    "rule between": "{}\n\n---\n\nThe subject is singular.",
    "line ends of Windows": "Corrected:\r\n\r\n{}\r\n\r\nNote: agreement",
    "tags": "<answer>\n{}\n</answer>",
    "reasoning": "<think>\nThe user wrote: []\n\nIs it right? No.\n</think>\n\n{}",
    "reasoning with attributes": '<Thinking budget="9">hm</Thinking>{}',
    "reasoning without a beginning": "First I look at the verb.\n</think>\n{}",
    "reasoning twice, then tags": "<think>a</think><reasoning>b</reasoning><answer>{}</answer>",
    "reasoning within reasoning": "<think>a <think>b</think> c</think>{}",
    "JSON": '{"corrected": "{}"}',
    "JSON in a fence": '```json\n{"explanation": "The verb.", "corrected_sentence": "{}"}\n```',
    "special tokens": "<|im_start|>assistant\n{}<|im_end|>",
    "nothing wrong, then the sentence": "No changes needed.\n\n{}",
    "nothing wrong: the sentence": "The sentence is already correct: {}",
    "the sentence, nothing wrong": "{}\n\nThe sentence is already correct.",
    "italics": "*{}*\n\nIs there anything else I can help you with?",
    "a title": "So it ought to read:\n\n{}",
    "steps": 'Step 1: Read the sentence.\n"[]"\n\nStep 2: Find the errors.\nStep 3: Write it anew.\n“{}”',
    "wrong and right": "Wrong: []\nRight: {}",
    "headings without colons": "**Corrected**\n{}\n\n**Original**\n[]",
    "dashes": "Original – []\nCorrected – {}",
    "crosses and check marks": "❌ []\n\n✅ *{}*\n\nDo you want a more formal version?",
    "diff": "```diff\n- []\n+ {}\n```",
    "arrow": "[] ➜ {}",
    "arrow between lines": "[]\n↓\n{}",
    "table of changes": "`{}`\n\n| Original | Correction | Reason |\n|---|---|---|\n| a | b | spelling |",
    "tracked changes": "**Edits:**\n~~Some~~ **{}**\n\n**Clean version:**\n{}",
    "HTML": "<p><strong>Correction:</strong> {}</p>",
    "LaTeX": "The corrected sentence is:\n\n$$\n\\boxed{\\text{{}}}\n$$",
    "answer of a server": '{"id": "a", "choices": [{"message": {"role": "assistant", "content": "{}"}}]}',
    "list that Python printed": "['{}']",
    "null is no correction": '{"original": "[]", "corrected": "{}", "explanation": null}',
    "prompt and special tokens": "<s>[INST] Correct the sentence: [] [/INST] {}</s>",
    "channels": "<|channel|>analysis<|message|>[] is wrong.<|end|><|start|>assistant<|channel|>final<|message|>{}",
    "the next turn": "{}<|im_end|>\n<|im_start|>user\nThank you!",
    "an alternative": "{}\n\nIf you want a more informal tone:\n\nSimply put: {}",
    "German": "Hier ist der korrigierte Satz:\n\n{}\n\nErklärung:\n- Das Verb passt nicht.",
    "Chinese": "修改后的句子：\n{}\n\n说明：\n- 动词",
}


def answer(layout: str, source: str, correction: str) -> str:
    return layout.replace("{}", correction).replace("[]", source)
