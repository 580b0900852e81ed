"""Links out of docs/ (programs, benchmarks, the changelog): the site names the file, and the build fails if it is not there.
And what the theme's pages lack for people who do not see them."""

import os
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
INCLUDED = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)


def on_page_markdown(markdown, page, **_):
    here = (DOCS / page.file.src_uri).parent

    def replace(found, folder):
        text, path, anchor = found[1], (folder / found[2]).resolve(), found[3] or ""
        if not path.exists():
            raise FileNotFoundError(f"{page.file.src_uri}: {found[2]} is not in the project")
        if path.is_relative_to(DOCS):
            return f"[{text}]({os.path.relpath(path, here)}{anchor})"
        name = str(path.relative_to(ROOT))
        return f"{text} (`{name}`)" if name not in text else f"`{name}`"

    def include(found):
        path = ROOT / found[1]
        return LINK.sub(lambda link: replace(link, path.parent), path.read_text())

    if INCLUDED.search(markdown):
        return INCLUDED.sub(include, markdown)
    return LINK.sub(lambda link: replace(link, here), markdown)


def named(output):
    """The theme's search has a role but no name, sections of one name are one landmark twice, and a table's empty corner is no heading."""
    output = output.replace('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"')
    seen = Counter()

    def numbered(found):
        # "Metrics" and "metrics" are one name.
        name = found[1].lower()
        seen[name] += 1
        again = f" ({seen[name]})" if seen[name] > 1 else ""
        return f'<nav class="md-nav" aria-label="{found[1]}{again}"'

    output = re.sub(r'<nav class="md-nav" aria-label="([^"]*)"', numbered, output)
    return re.sub(r"<th(?: [^>]*)?></th>", "<td></td>", output)


def on_post_page(output, **_):
    return named(output)


def on_post_template(output_content, template_name, **_):
    return named(output_content) if template_name.endswith(".html") else output_content
