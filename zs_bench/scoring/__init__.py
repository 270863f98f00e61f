"""From prediction files to scores: joined with their references by id, scored, compared in pairs, signed."""
