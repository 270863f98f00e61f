"""Which lost points belong to right answers: a sample of a scored file, judged by hand.

The score of every answer is known and costs nothing, so it decides which answers a person looks at, and carries what is
learned from them over to all answers.
"""
