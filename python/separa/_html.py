"""A model as a small table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._model import Model


def model(fitted: Model) -> str:
    training = fitted.info["training"]
    total = training["n"]
    things = "bags" if fitted.info["takes"] == "bag" else "rows"
    sizes = ", ".join(f"{size} ({size / total:.0%})" for size in training["sizes"])
    rows = [
        ("clusters", f"{fitted.n_clusters_} of {total} {things}: {sizes}"),
        ("stopped", f"{fitted.stop_.replace('_', ' ')} after {rounds(fitted.n_iter_)}"),
        *quality(fitted),
        ("settings", settings(fitted)),
    ]
    body = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<table><caption>separa {escape(fitted.method)}</caption>{body}</table>"


def rounds(n: int) -> str:
    return "1 round" if n == 1 else f"{n} rounds"


def quality(fitted: Model) -> list[tuple[str, str]]:
    if fitted.msp_ is None:
        return []
    null = "" if fitted.msp_null_ is None else f", one cloud would score {fitted.msp_null_:.3f}"
    said = [("separation", f"{fitted.msp_:.3f}{null}")]
    if fitted.p_unimodal_ is not None and fitted.p_gauss_ is not None:
        said.append(
            ("is it one cloud?", f"p = {fitted.p_gauss_:.3g} (Gaussian), {fitted.p_unimodal_:.3g} (no gap)")
        )
    return said


def settings(fitted: Model) -> str:
    return ", ".join(f"{name}={value}" for name, value in fitted.params.items())
