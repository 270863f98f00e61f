"""The page, its API and MCP tools: a module per tab, the texts, the templates and the server around Gradio."""
