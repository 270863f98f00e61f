"""The server around Gradio: worker processes, stored results, middleware, temporary files and limits."""
