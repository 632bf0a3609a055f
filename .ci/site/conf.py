"""The site of docs/, for Sphinx with MyST: it reads CommonMark as the forge does. .ci/build-site runs it."""
import re

project = "Shoebox"
author = "the Shoebox contributors"
extensions = ["myst_parser", "sphinx.ext.graphviz"]
root_doc = "docs/README"
source_suffix = {".md": "markdown"}
# The last one is a list of symbols, which DocC shows.
exclude_patterns = ["**/.build", "**/ShoeboxKit.docc/ShoeboxKit.md"]

# Tables, and the anchors that the forge gives headings.
myst_heading_anchors = 4
# JSON with an ellipsis, and languages that the highlighter does not know, stay plain.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
highlight_language = "none"
smartquotes = False

html_theme = "furo"
html_title = "Shoebox"
html_favicon = "static/favicon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6b62", "color-brand-content": "#0b6b62"},
    "dark_css_variables": {"color-brand-primary": "#5fd0c4", "color-brand-content": "#5fd0c4"},
}
graphviz_output_format = "svg"
graphviz_dot_args = ["-Gbgcolor=transparent", "-Gfontname=sans-serif", "-Nfontname=sans-serif", "-Efontname=sans-serif"]

# The side bar. The index, docs/README.md, is written for the forge too, so that it cannot contain this.
CONTENTS = {
    "How-tos": "howto/*",
    "Help": "troubleshooting migrating faq security",
    "Using Shoebox": "commands queries export import metadata presets duplicates picker",
    "Running Shoebox": "operations configuration catalog scaling",
    "What Shoebox knows": "formats recognition performance",
    "Programs": "kit examples/photo-server/README ../Sources/ShoeboxKit/ShoeboxKit.docc/*",
    "Taking part": "architecture contributing versioning ../CHANGELOG",
}


def contents():
    for caption, pages in CONTENTS.items():
        lines = "\n".join(pages.split())
        if caption == "Help":
            lines = "What Shoebox does <../README>\n" + lines
        yield f"\n```{{toctree}}\n:hidden:\n:glob:\n:maxdepth: 1\n:caption: {caption}\n\n{lines}\n```\n"


def as_dot(block):
    """A flowchart as `.ci/architecture` writes it, for Graphviz, which needs no script in the reader's browser."""
    lines = ["digraph {", 'rankdir=BT; node [shape=box, style="rounded,filled", fillcolor="#e7f3f1", color="#0b6b62"];',
             'edge [color="#7a8a88"];']
    for line in block.group(1).splitlines()[1:]:
        line = line.strip()
        if line.startswith("subgraph "):
            name = line.split()[1]
            lines.append(f'subgraph "cluster_{name}" {{ label="{name}"; color="#9fb8b5"; fontcolor="#4f6b68";')
        elif line == "end":
            lines.append("}")
        elif "-->" in line:
            start, end = line.split(" --> ")
            lines.append(f'"{start}" -> "{end}";')
        elif line:
            lines.append(f'"{line}";')
    return "```{graphviz}\n" + "\n".join(lines + ["}"]) + "\n```\n"


def read(app, page, source):
    text = re.sub(r"```mermaid\n(.*?)```\n", as_dot, source[0], flags=re.S)
    if "ShoeboxKit.docc" in page:
        # DocC's links to articles; the symbols are in its own reference: make docs.
        text = re.sub(r"<doc:(\w+)>", r"[\1](\1.md)", text)
        text = re.sub(r"^@Metadata \{.*?^\}\n", "", text, flags=re.S | re.M)
    if page == root_doc:
        text += "".join(contents())
    source[0] = text


def setup(app):
    app.connect("source-read", read)
