"""A model's run over the benchmark: prompts sent, every reply kept in a journal, and the answers made from it.

What to do with a reply is decided without a network (`replies`). A request goes to a server (`transport`), a model in
this process (`local`) or an actor (`ray_actors`); `sending` sends all of them, and `folder` keeps the replies.
"""
