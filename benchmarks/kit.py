"""ShoeboxKit as a server uses it: pages while another process scans, many images at once, waiting for changes."""
import json
import os
import subprocess
from pathlib import Path

from measuring import SHOEBOX, WORK, fresh, remove, report, run
from trees import media_tree, small_tree

PROGRAM = Path(SHOEBOX).with_name("kit-bench")


def bench(mode, catalog, *arguments):
    environment = dict(os.environ, SHOEBOX_CODEC=str(Path(SHOEBOX).with_name("shoebox-codec")))
    output = subprocess.check_output([PROGRAM, mode, catalog, *map(str, arguments)], env=environment)
    return json.loads(output)


def library():
    print("ShoeboxKit", flush=True)
    tree = fresh(WORK / "small-100000", small_tree(100_000))
    catalog = WORK / "kit.sqlite"
    remove(catalog)
    pages = bench("pages", catalog, SHOEBOX, tree)
    report("first page of 100 while another process scans 100,000 files, p50", f"{pages['p50']:.1f} ms")
    report("the same, p99 and longest", f"{pages['p99']:.1f} ms, {pages['max']:.1f} ms of {pages['pages']:,.0f}")
    found = [bench("wake", catalog, SHOEBOX, tree / "00/0000/woken.gif")["milliseconds"] for _ in range(5)]
    (tree / "00/0000/woken.gif").unlink()
    report("from the end of a scan until a waiting task has the change", f"at most {max(found):.0f} ms")
    report("processor time of waiting, a minute", f"{bench('idle', catalog, 60)['perMinute']:.1f} ms")
    name = "corpus" if os.environ.get("SHOEBOX_CORPUS") else "sample"
    media = fresh(WORK / f"media-{name}", media_tree(5000))
    remove(catalog)
    remove(f"{catalog}.thumbnails")
    run([SHOEBOX, "scan", str(media)], catalog)
    images = bench("images", catalog, 1000)
    report(
        f"1,000 requests at once for {images['pictures']:,.0f} images",
        f"{images['seconds']:.1f} s, {images['peak']:.0f} MB, {images['before']:.0f} MB before",
    )
