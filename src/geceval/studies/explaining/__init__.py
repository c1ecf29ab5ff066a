"""Why sentences score what they do: sentences chosen, their evidence in words, and what each edit is worth."""
