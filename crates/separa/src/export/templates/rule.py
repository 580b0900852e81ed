MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "None", "?")
DAYS = {"year": 365.2425, "week": 7.0, "day": 1.0}
NAN = float("nan")


def label(row):
    """The label of one row: a mapping from the columns' names to their values.

    None, NaN, an empty text and words such as NA are missing values. Returns None if a value is missing and the
    rule does not fill it in.
    """
    return labels([row])[0]


def labels(rows):
    """The label of every row."""
    return [_label(row) for row in rows]


def _label(row):
    values = [_value(column["encoding"], row[column["name"]]) for column in RULE["inputs"]]
    gaps = [not math.isfinite(value) for value in values]
    if any(gaps) and RULE["missing"] in ("drop", "refuse"):
        return None
    x, ranges = [], []
    for column, value in zip(RULE["inputs"], values):
        features = _spread(column["encoding"], value)
        ranges.append(range(len(x), len(x) + len(features)))
        x.extend(features)
    if any(gaps) and RULE["donors"]:
        _lend(x, gaps, ranges)
    outside, z = 0, []
    for column in RULE["scaled"]:
        v, lo, hi = x[column["feature"]], column["lo"], column["hi"]
        if lo is not None and v < lo:
            v, outside = lo, outside + 1
        elif hi is not None and v > hi:
            v, outside = hi, outside + 1
        z.append((v - column["shift"]) * column["factor"])
    if RULE["marks_outliers"] and 2 * outside > len(z):
        return -1
    scores = [
        sum([w * v for w, v in zip(weights, z)], 0.0) + b
        for weights, b in zip(RULE["weights"], RULE["intercepts"])
    ]
    return RULE["labels"][_choose(scores)]


def _choose(scores):
    choice = RULE["choice"]
    if choice["by"] == "tree":
        at = {"split": 0} if choice["splits"] else {"label": 0}
        while "split" in at:
            at = choice["splits"][at["split"]][scores[at["split"]] >= 0.0]
        return at["label"]
    if choice["by"] == "largest":
        return scores.index(max(scores))
    worst = choice["margin"] == "worst"
    votes = [[0, math.inf if worst else 0.0] for _ in RULE["labels"]]
    for (up, down), score in zip(choice["pairs"], scores):
        votes[up if score >= 0.0 else down][0] += 1
        for place, own in ((up, score), (down, -score)):
            so_far = votes[place][1]
            votes[place][1] = min(so_far, own) if worst else so_far + own
    return votes.index(max(votes))


def _lend(x, gaps, ranges):
    """Fills gaps from the five most similar complete rows."""
    scales = RULE["donor_scales"]

    def distance(donor):
        total = 0.0
        for gap, features in zip(gaps, ranges):
            if not gap:
                part = 0.0
                for f in features:
                    off = (x[f] - donor[f]) * scales[f]
                    part += off * off
                total += part
        return total

    nearest = sorted(RULE["donors"], key=distance)[:5]
    for gap, features in zip(gaps, ranges):
        if gap and len(features) == 1:
            x[features[0]] = sorted(donor[features[0]] for donor in nearest)[2]
        elif gap:
            means = [sum([donor[f] for donor in nearest], 0.0) / 5 for f in features]
            best = min(nearest, key=lambda d: sum([(d[f] - m) ** 2 for f, m in zip(features, means)], 0.0))
            for f in features:
                x[f] = best[f]


def _spread(encoding, value):
    """The features of one value."""
    missing = not math.isfinite(value)
    if encoding["as"] == "one_hot":
        levels = encoding["levels"]
        if missing:
            value = levels.index(encoding["fill"]) if encoding["fill"] in levels else -1
        return [float(place == value) for place in range(len(levels) + encoding["other"])]
    if missing:
        value = encoding["fill"] if encoding["fill"] is not None else 0.0
    if encoding["as"] != "date":
        return [value]
    out = [(value - encoding["origin"]) / 86400.0]
    for cycle in encoding["cycles"]:
        angle = math.tau * (value / 86400.0 / DAYS[cycle] % 1.0)
        out += [math.sin(angle), math.cos(angle)]
    return out


def _value(encoding, cell):
    """What a cell stands for: a number, seconds, or the place of a word; NaN if it is missing."""
    kind = encoding["as"]
    if cell is None or isinstance(cell, str) and cell.strip() in MISSING:
        return NAN
    if kind == "date":
        return _seconds(cell, encoding["day_first"])
    if not isinstance(cell, (str, bool)) and not math.isfinite(cell):
        return NAN
    if kind in ("number", "boolean") and not isinstance(cell, str):
        return float(cell)
    text = cell.strip() if isinstance(cell, str) else _text(cell)
    if kind == "number":
        return _number(text, encoding.get("style") or {})
    if kind == "one_hot":
        if text in encoding["levels"]:
            return float(encoding["levels"].index(text))
        known = encoding["other"] or text == encoding.get("base")
        return float(len(encoding["levels"])) if known else -1.0
    text = text.lower()
    if kind == "boolean":
        return 1.0 if text in encoding["yes"] else 0.0 if text in encoding["no"] else NAN
    levels = [level.strip().lower() for level in encoding["levels"]]
    return float(levels.index(text)) if text in levels else NAN


def _text(cell):
    """A value as a table shows it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(int(cell)) if float(cell).is_integer() and abs(cell) < 1e15 else repr(float(cell))


def _number(text, style):
    """The number that a text stands for, as people write it; NaN if it is none."""
    comma = bool(style.get("decimal_comma"))
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    if not comma and not style.get("unit") and re.fullmatch(PLAIN, text):
        return _finite(float(text))
    minus = False
    if text.startswith("(") and text.endswith(")"):
        text, minus = text[1:-1], True
    unit = style.get("unit")
    if unit:
        if not text.endswith(unit):
            return NAN
        text = text[: -len(unit)].rstrip()
    for clean in (True, False):
        if text[:1] in ("-", "\u2212"):
            text, minus = text[1:].lstrip(), not minus
        elif text[:1] == "+":
            text = text[1:]
        if clean:
            text = text.strip("$\u20ac\u00a3\u00a5\u20b9\u20a9")
            for code in ("USD", "EUR", "GBP", "CHF", "JPY"):
                text = text.removeprefix(code).removesuffix(code)
            text = text.removesuffix("%").strip()
    mark, group = (",", ".") if comma else (".", ",")
    whole, _, decimals = text.partition(mark)
    separators = "[ \u00a0\u202f\u2009'" + group + "]"
    if re.search(separators, whole):
        if not re.fullmatch(f"[1-9][0-9]{{0,2}}({separators}[0-9]{{2,3}})*{separators}[0-9]{{3}}", whole):
            return NAN
        whole = re.sub(separators, "", whole)
    plain = f"{whole}.{decimals}" if decimals else whole
    if not re.fullmatch(PLAIN, plain):
        return NAN
    return _finite(-float(plain) if minus else float(plain))


PLAIN = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"


def _finite(value):
    return value if math.isfinite(value) else NAN


def _seconds(cell, day_first):
    """Seconds since 1970-01-01, or since midnight for a time of the day; numbers are seconds."""
    if isinstance(cell, datetime.datetime):
        return (cell.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)).total_seconds()
    if isinstance(cell, datetime.date):
        return (cell - datetime.date(1970, 1, 1)).days * 86400.0
    if isinstance(cell, datetime.time):
        return cell.hour * 3600.0 + cell.minute * 60.0 + cell.second + cell.microsecond / 1e6
    if not isinstance(cell, str):
        return float(cell)
    text = re.sub(r"(:[0-9.]+) ?([+-][0-9:]{2,6}|Z)$", r"\1", cell.strip())
    clock = _parsed(text, CLOCKS)
    if clock is not None:
        return (clock - datetime.datetime(1900, 1, 1)).total_seconds()
    numbers = ("%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y") if day_first else ("%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y")
    at = max(text.rfind("T", 0, text.find(":")), text.rfind(" ", 0, text.find(":"))) if ":" in text else len(text)
    day = _parsed(text[:at].rstrip(","), DATES + numbers)
    time = _parsed(text[at + 1 :].strip(), CLOCKS) if at < len(text) else datetime.datetime(1900, 1, 1)
    if day is None or time is None:
        return NAN
    return (day - datetime.datetime(1970, 1, 1)).total_seconds() + (time - datetime.datetime(1900, 1, 1)).total_seconds()


DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%b %d %Y", "%Y.%m.%d",
    "%Y-%m", "%b %Y", "%b-%Y",
)
CLOCKS = ("%H:%M:%S.%f", "%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p")


def _parsed(text, formats):
    for form in formats:
        try:
            return datetime.datetime.strptime(text, form)
        except ValueError:
            pass
    return None
