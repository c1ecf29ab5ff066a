"""Explanations of sentence scores: selected sentences, evidence, values of edits."""
