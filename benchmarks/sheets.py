"""A contact sheet of 5,000 items: with nothing cached, and again."""
from measuring import SHOEBOX, WORK, begin, figure, fresh, remove, run
from trees import library_tree


def sheets():
    begin("Contact sheet of 5,000 pictures and videos")
    tree = fresh(WORK / "library-6000", library_tree(6000))
    catalog, page = WORK / "sheet.sqlite", WORK / "sheet.html"
    remove(catalog)
    remove(f"{catalog}.thumbnails")
    run([SHOEBOX, "scan", tree], catalog)
    command = [SHOEBOX, "list", "--limit", "5000", "--format", "sheet", "--to", page]
    seconds, peak = run(command, catalog)
    items = page.read_text().count("<li><a ")
    figure(f"sheet of {items:,} items, nothing cached", seconds, "s")
    figure("peak memory of shoebox, nothing cached", peak, "MB")
    figure("the same sheet again", [run(command, catalog)[0] for _ in range(3)], "s")
