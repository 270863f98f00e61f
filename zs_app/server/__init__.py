"""What the app needs around Gradio: worker processes, the result cache, middleware, temporary files and limits."""
