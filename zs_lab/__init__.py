"""The annexes of the scorer and its page, each independent of the others."""
