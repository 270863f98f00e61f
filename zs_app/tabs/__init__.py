"""The four tabs of the page: for each its handlers, then its layout."""
