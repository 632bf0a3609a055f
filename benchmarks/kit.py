"""ShoeboxKit as a server uses it: pages while another process scans, many images at once, waiting for changes."""
import json
import os
import subprocess
from pathlib import Path

from measuring import SHOEBOX, WORK, begin, figure, fresh, remove, run
from trees import library_tree, small_tree

PROGRAM = Path(SHOEBOX).with_name("kit-bench")


def bench(mode, catalog, *arguments):
    environment = dict(os.environ, SHOEBOX_CODEC=str(Path(SHOEBOX).with_name("shoebox-codec")))
    output = subprocess.check_output([PROGRAM, mode, catalog, *map(str, arguments)], env=environment)
    return json.loads(output)


def library():
    begin("ShoeboxKit")
    if not PROGRAM.exists():
        print(f"  left out: {PROGRAM} is not built; make bench builds it")
        return
    tree = fresh(WORK / "small-100000", small_tree(100_000))
    catalog = WORK / "kit.sqlite"
    remove(catalog)
    pages = bench("pages", catalog, SHOEBOX, tree)
    for what in ("p50", "p99", "max"):
        figure(f"first page of 100 while another process scans 100,000 files, {what}", pages[what], "ms")
    found = [bench("wake", catalog, SHOEBOX, tree / "00/0000/woken.gif")["milliseconds"] for _ in range(5)]
    (tree / "00/0000/woken.gif").unlink()
    figure("from the end of a scan until a waiting task has the change", found, "ms")
    figure("processor time of waiting, a minute", bench("idle", catalog, 60)["perMinute"], "ms")
    media = fresh(WORK / "library-5000", library_tree(5000))
    remove(catalog)
    remove(f"{catalog}.thumbnails")
    run([SHOEBOX, "scan", media], catalog)
    images = bench("images", catalog, 1000)
    figure(f"1,000 requests at once for {images['pictures']:,.0f} images", images["seconds"], "s")
    figure("peak memory of the 1,000 requests", images["peak"], "MB")
