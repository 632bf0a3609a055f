#!/usr/bin/env python3
"""Precision and recall of `shoebox duplicates`, on a set that this script makes; next to imagehash, if it is installed.

usage: duplicates.py [--pictures N] [--keep DIR] PROGRAM

PROGRAM is the built `shoebox`. Needs ImageMagick, and `pip install imagehash` for the comparison. Each of N base pictures
(default 150) gets an exact copy, re-encoded, scaled, brightened and cropped copies, and look-alikes: another part of the
same scene, the scene with something else in it, and frames of a burst with their times. The truth is known by
construction.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor


def convert(*arguments):
    subprocess.run(["convert", *arguments], check=True)


def crop(random_, keep, width, height):
    """A part of a picture: `keep` of each side, at a random place."""
    across, down = int(width * keep), int(height * keep)
    left, top = random_.randint(0, width - across), random_.randint(0, height - down)
    return ["-crop", f"{across}x{down}+{left}+{top}", "+repage"]


def make(folder, number, kinds):
    """One base picture with its copies and look-alikes; the scene is larger than the picture."""
    random_ = random.Random(number)
    width, height = random_.choice([(960, 720), (720, 960), (960, 640)])
    wide, high = width * 6 // 5, height * 6 // 5
    name = lambda what, kind="jpg": f"{folder}/{number:04}-{what}.{kind}"
    scene = f"{folder}/{number:04}.miff"
    shapes = []
    for _ in range(14):
        x, y, r = random_.randint(0, wide), random_.randint(0, high), random_.randint(20, 160)
        shapes += ["-fill", f"hsl({random_.randint(0, 359)},60%,{random_.randint(15, 85)}%)",
                   "-draw", f"ellipse {x},{y} {r},{random_.randint(15, 130)} 0,360"]
    convert("-size", f"{wide}x{high}", "-seed", str(number), "plasma:fractal", "-blur", "0x3",
            "-modulate", "100,40", *shapes, "-blur", "0x1", scene)
    part = ["-crop", f"{width}x{height}+0+0", "+repage"]
    convert(scene, *part, "-quality", "93", name("original"))
    shutil.copyfile(name("original"), name("exact"))
    base = name("original")
    copies = {
        "q40": ["-quality", "40"], "q75": ["-quality", "75"],
        "half": ["-resize", "50%", "-quality", "80"],
        "small": ["-resize", "30%", "-quality", "75"],
        "bright": ["-brightness-contrast", random_.choice(["5x0", "-5x0", "0x6"]), "-quality", "85"],
        "crop95": [*crop(random_, 0.95, width, height), "-quality", "88"],
        "crop90": [*crop(random_, 0.90, width, height), "-quality", "85"],
        "crop88half": [*crop(random_, 0.88, width, height), "-resize", "50%", "-quality", "80"],
    }
    for what, options in copies.items():
        convert(base, *options, name(what))
    if "webp" in kinds:
        convert(base, "-quality", "60", name("webp", "webp"))
    # The same scene from elsewhere, and with something else in it.
    convert(scene, "-crop", f"{width}x{height}+{wide - width}+{high - height}", "+repage", "-quality", "90",
            name("elsewhere"))
    x, y = random_.randint(0, width * 3 // 4), random_.randint(0, height * 3 // 4)
    convert(base, "-fill", f"hsl({random_.randint(0, 359)},70%,{random_.choice([15, 85])}%)",
            "-draw", f"rectangle {x},{y} {x + width // 5},{y + height // 4}", "-quality", "90", name("moved"))
    os.unlink(scene)


def score(title, groups, truth, seconds):
    """A group's first picture is the one to keep: each other one is a claim."""
    number = lambda path: os.path.basename(path).split("-")[0]
    is_copy = lambda path: os.path.basename(path).split("-")[1].split(".")[0] not in ("elsewhere", "moved")
    claims = [(group[0], other) for group in groups for other in group[1:]]
    right = sum(number(a) == number(b) and is_copy(a) and is_copy(b) for a, b in claims)
    print(f"{title}: precision {right / max(1, len(claims)):.4f}, recall {right / truth:.4f}, {seconds:.1f} s")


def peer(folder, truth, limit):
    """imagehash's phash at its usual limit: groups of what is within that distance of their first picture."""
    import imagehash
    from PIL import Image

    start = time.time()
    names = sorted(os.listdir(folder), key=lambda name: (name.split("-")[0], "original" not in name))
    hashes = [(folder + "/" + name, imagehash.phash(Image.open(folder + "/" + name))) for name in names]
    groups, seen = [], set()
    for path, value in hashes:
        if path in seen:
            continue
        near = [other for other, hash_ in hashes if other not in seen and other != path and value - hash_ <= limit]
        seen.update([path, *near])
        if near:
            groups.append([path, *near])
    score(f"imagehash phash <= {limit}", groups, truth, time.time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--pictures", type=int, default=150)
    parser.add_argument("--keep", help="make the set in this folder and leave it there")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="shoebox-duplicates-")
    library = folder + "/library"
    os.makedirs(library, exist_ok=True)
    formats = subprocess.run(["convert", "-list", "format"], capture_output=True, text=True).stdout
    kinds = ["webp"] if "WEBP* rw" in formats.replace("  ", " ") else []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda number: make(library, number, kinds), range(options.pictures)))
    environment = {**os.environ, "SHOEBOX_CATALOG": folder + "/catalog.sqlite"}

    def shoebox(*arguments):
        start = time.time()
        done = subprocess.run(
            [options.program, *arguments], capture_output=True, env=environment, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return done.stdout, time.time() - start

    shoebox("scan", library)
    exact, seconds = shoebox("duplicates", "--format", "json")
    groups = [[asset["path"] for asset in group["assets"]] for group in json.loads(exact)]
    score("shoebox exact", groups, options.pictures, seconds)
    _, seconds = shoebox("duplicates", "--similar", "--format", "json")
    print(f"previews and first search: {seconds:.1f} s")
    similar, seconds = shoebox("duplicates", "--similar", "--format", "json")
    groups = [[asset["path"] for asset in group["assets"]] for group in json.loads(similar)]
    truth = options.pictures * (8 + len(kinds))
    score("shoebox similar", groups, truth, seconds)
    try:
        import imagehash  # noqa: F401
    except ImportError:
        print("imagehash is not installed: no comparison")
    else:
        # It also finds the exact copies.
        for limit in (4, 8, 10):
            peer(library, truth + options.pictures, limit)
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
