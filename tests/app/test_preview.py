"""The preview of a link to the page, and the page's icon."""

import re
from urllib.request import ProxyHandler, build_opener

from zs_app import words
from zs_app.server.link_preview import with_preview

open_ = build_opener(ProxyHandler({})).open


def test_the_page_has_one_title_and_one_description_of_our_own(url):
    page = open_(url).read().decode()
    tags = dict(re.findall(r'<meta property="(og:[a-z]+)" content="([^"]*)"', page))
    assert len(re.findall(r'property="og:', page)) == len(tags)
    assert (tags["og:title"], tags["og:description"]) == (words.TITLE, words.DESCRIPTION)
    assert tags["og:url"] == f"{url}/"
    assert "gradio" not in str(tags).lower()
    with open_(tags["og:image"]) as icon:
        assert icon.headers["content-type"] == "image/png"


def test_pages_without_such_tags_and_other_texts_are_unchanged():
    assert "<p>kept</p>" in with_preview("<head></head><p>kept</p>", "http://x")
    assert with_preview("no page", "http://x") == "no page"


def test_a_hostile_host_does_not_become_markup(url):
    assert '"><script>' not in with_preview("<head></head>", 'http://x"><script>')
