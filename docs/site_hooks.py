"""Links out of docs/ (programs, benchmarks, the changelog): the site names the file, and the build fails if it is not there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, **_):
    folder = (DOCS / page.file.src_uri).parent

    def outside(found):
        text, path = found[1], (folder / found[2]).resolve()
        if path.is_relative_to(DOCS):
            return found[0]
        if not path.exists():
            raise FileNotFoundError(f"{page.file.src_uri}: {found[2]} is not in the project")
        name = str(path.relative_to(ROOT))
        return f"{text} (`{name}`)" if name not in text else f"`{name}`"

    return LINK.sub(outside, markdown)
