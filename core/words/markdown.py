"""Markdown as HTML, for what is shown without Streamlit: formulas as MathML, and words tied to marks of the picture."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

SIGN = re.compile(r"(&#x0002C;</mo>|&#x00028;</mo>)<mo>(?=&#x02212;)")  # , or ( before a minus sign
MARK = "mark:"  # a link with this scheme ties words to a mark of the picture


@cache
def markdown_reader() -> MarkdownIt:
    """Return the reader of Markdown: no HTML of its own, formulas between dollar signs, words tied to marks."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.use(dollarmath_plugin, allow_space=False, allow_digits=False, renderer=render_formula)
    reader.validateLink = lambda url: url.startswith((MARK, "http://", "https://", "/", "#"))
    reader.add_render_rule("link_open", open_link)
    reader.add_render_rule("link_close", close_link)
    return reader


def render_formula(latex: str, options: dict) -> str:
    """Return a formula as MathML; `options` says whether it stands in a line of its own."""
    return convert_formula(latex, "block" if options.get("display_mode") else "inline")


@lru_cache(10_000)
def convert_formula(latex: str, display: str) -> str:
    """Return LaTeX as MathML; a minus sign after a bracket or a comma belongs to its number."""
    return SIGN.sub(r'\1<mo form="prefix">', convert(latex.replace("−", "-"), display=display))


def open_link(renderer, tokens, at, options, env) -> str:
    """Return the start of a link: a mark's tie is a span that can have the focus."""
    target = str(tokens[at].attrGet("href"))
    if target.startswith(MARK):
        return f'<span class="tie" tabindex="0" data-tie="{target.removeprefix(MARK)}">'
    tokens[at].attrSet("rel", "noreferrer")
    tokens[at].attrSet("target", "_blank")
    return renderer.renderToken(tokens, at, options, env)


def close_link(renderer, tokens, at, options, env) -> str:
    """Return the end of a link, which is a span's if its start is."""
    start = next(token for token in reversed(tokens[:at]) if token.type == "link_open")
    return "</span>" if str(start.attrGet("href")).startswith(MARK) else "</a>"


def render_html(markdown: str) -> str:
    """Return Markdown as HTML; HTML in it is shown as it stands.

    >>> render_html("The *first* <b>word</b>: [hot](mark:node.0.0)")
    '<p>The <em>first</em> &lt;b&gt;word&lt;/b&gt;: <span class="tie" tabindex="0" data-tie="node.0.0">hot</span></p>'
    """
    return markdown_reader().render(markdown).strip()
