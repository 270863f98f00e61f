"""The benchmark's prompts: the canonical templates, inputs taken apart, variants, trimming and token counts."""
