"""The Space on the Hugging Face Hub: what it holds, and how it gets there."""
