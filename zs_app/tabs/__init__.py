"""The tabs of the page: each has its handlers, then its layout."""
