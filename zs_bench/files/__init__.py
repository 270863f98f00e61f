"""Files people have: opened (`sources`), recognised and read (`formats`), gathered by task and id (`predictions`,
`references`). Nothing here scores.
"""
