"""The results as JSON, as Markdown and as a plot."""
import json

MEASURES = {"wall": "time", "cpu": "CPU time", "peak": "peak memory"}


def title(row):
    return f"{row['what']}: {MEASURES[row['measure']]}"


def short(value, unit):
    """A value with three significant digits and its unit."""
    if unit == "s" and value < 0.1:
        value, unit = value * 1000, "ms"
    digits = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{digits} {unit}".strip()


def advantage(ratio):
    """`3.1 times faster` reads more easily than a ratio of 0.32."""
    return f"1/{1 / ratio:.3g}" if ratio < 0.1 else f"{ratio:.2f}"


def markdown(results):
    """The table of the ratios and the table of the figures without a peer."""
    from machine import QUIET_SHARE

    facts = results["machine"]
    lines = [
        f"{facts['date']}, commit {facts['commit'][:12]}{facts['commit'][40:]}, shoebox {facts['shoebox']}. {facts['cpu']},"
        f" {facts['cores']} cores, {facts['memory']}, {facts['system']}, kernel {facts['kernel']}, {facts['file system']},"
        f" virtual machine: {facts['virtual machine']}.",
        "",
        "Load before the run: {:.2f}; other processes used {:.0f} % of a core during it.".format(
            results["quiet"]["load"], 100 * results["quiet"]["others"]
        ),
        "Samples: {identical} identical to the manifest, {pixels} with the same pixels, {other} others.".format(
            **results["samples"]
        ),
        "Versions: " + ", ".join(f"{name} {version}" for name, version in results["peers"].items()) + ".",
        "",
        "Ratio: Shoebox's cost divided by the peer's, the median of the pairs (least–largest). Below 1, Shoebox needs less."
        f" `*`: other processes used more than {100 * QUIET_SHARE:.0f} % of a core meanwhile.",
        "",
        "| what | Shoebox | peer | ratio | spread | pairs |",
        "|---|---|---|---|---|---|",
    ]
    for row in results["ratios"]:
        ratio, unit = row["ratio"], row["unit"]
        mark = "\\*" if row["others"] > QUIET_SHARE else ""
        lines.append(
            f"| {title(row)} | {short(row['ours']['median'], unit)} | `{row['peer']}` {short(row['theirs']['median'], unit)}"
            f" | {advantage(ratio['median'])}{mark} | {advantage(ratio['min'])}–{advantage(ratio['max'])} | {ratio['count']} |"
        )
    lines += ["", "| what | median | least–largest | runs |", "|---|---|---|---|"]
    for row in results["figures"]:
        unit = row["unit"]
        span = f"{short(row['min'], unit)}–{short(row['max'], unit)}" if row["count"] > 1 else ""
        lines.append(f"| {row['what']} | {short(row['median'], unit)} | {span} | {row['count']} |")
    return "\n".join(lines) + "\n"


def plot(results, path):
    """Draws the ratios as bars on a logarithmic scale, with their spread. Needs python3-matplotlib; returns whether
    it is installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "shoebox", "font.family": "DejaVu Sans", "font.size": 9})
    from matplotlib import pyplot

    rows = list(reversed(results["ratios"]))
    figure, axes = pyplot.subplots(figsize=(10, 0.9 + 0.34 * len(rows)))
    colours = {"wall": "#1f6f8b", "cpu": "#c8843a", "peak": "#7a7a7a"}
    for place, row in enumerate(rows):
        ratio = row["ratio"]
        middle = ratio["median"]
        axes.barh(place, middle - 1, left=1, height=0.62, color=colours[row["measure"]])
        axes.plot([ratio["min"], ratio["max"]], [place, place], color="black", linewidth=1.2)
        beside = min(ratio["min"], 1) if middle < 1 else max(ratio["max"], 1)
        axes.annotate(
            advantage(middle), (beside, place), xytext=(-4 if middle < 1 else 4, 0), textcoords="offset points",
            ha="right" if middle < 1 else "left", va="center",
        )
    axes.set_xscale("log")
    values = [row["ratio"][end] for row in rows for end in ("min", "max")]
    axes.set_xlim(min(values + [0.5]) / 2, max(values + [2]) * 2)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [f"{row['what']}\nagainst {row['peer']}" for row in rows], fontsize=7)
    axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel("Shoebox's cost divided by the peer's; left of 1, Shoebox needs less")
    names = {row["measure"] for row in rows}
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colours[name]) for name in MEASURES if name in names]
    axes.legend(handles, [MEASURES[name] for name in MEASURES if name in names], loc="lower left", fontsize=8)
    facts = results["machine"]
    axes.set_title(f"{facts['cpu']}, {facts['cores']} cores, {facts['date'][:10]}, commit {facts['commit'][:12]}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    return True


def write(results, folder, name):
    """Writes NAME.json, NAME.md and NAME.svg; returns the paths that exist."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{form}" for form in ("json", "md", "svg")]
    paths[0].write_text(json.dumps(results, indent=1) + "\n")
    paths[1].write_text(markdown(results))
    return paths if plot(results, paths[2]) else paths[:2]
