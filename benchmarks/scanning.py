"""First scans against exiftool, rescans against find, and what small changes cost."""
import os
import shlex
import time

from measuring import ROUNDS, SHOEBOX, WORK, begin, compare, cost, count_files, emptied, figure, fresh, remove, run
from trees import library_tree, live_tree, small_tree

# The attributes that a catalog has: exiftool prints only these.
TAGS = (
    "FileType MIMEType FileSize ImageWidth ImageHeight Orientation Rotation Duration VideoFrameRate DateTimeOriginal"
    " SubSecTimeOriginal OffsetTimeOriginal CreateDate CreationDate ModifyDate Make Model LensModel FNumber ExposureTime"
    " ISO FocalLength FocalLengthIn35mmFormat GPSLatitude GPSLongitude GPSAltitude ContentIdentifier UserComment Title"
    " Description Rating Subject Keywords"
).split()


def exiftool(tree, cores):
    """exiftool on a tree with one process for each core, each with an equal share of the files."""
    lists = emptied(WORK / "exiftool-lists")
    files = sorted(str(path) for path in tree.rglob("*") if path.is_file())
    options = f"-fast2 -n -json -q {' '.join(f'-{tag}' for tag in TAGS)}"
    processes = []
    for core in range(cores):
        part = lists / f"{core}.txt"
        part.write_text("\n".join(files[core::cores]) + "\n")
        quoted = shlex.quote(str(part))
        processes.append(f"exiftool {options} -@ {quoted} > {quoted}.json &")
    return lambda: cost(["sh", "-c", " ".join(processes) + " wait"])


def first_scan(count=5000):
    begin(f"First scan of {count:,} files, the sample library")
    tree = fresh(WORK / f"library-{count}", library_tree(count))
    catalog = WORK / "first.sqlite"
    for path in tree.rglob("*"):  # warms the page cache for both
        if path.is_file():
            path.read_bytes()
    compare(
        f"first scan of {count_files(tree):,} files", f"exiftool -fast2, {cores()} processes",
        lambda: cost([SHOEBOX, "scan", tree], catalog), exiftool(tree, cores()),
        measures=("wall", "cpu"), rounds=3, prepare=lambda: remove(catalog),
    )
    remove(catalog)
    figure("peak memory of shoebox", run([SHOEBOX, "scan", tree], catalog)[1], "MB")


def cores():
    return len(os.sched_getaffinity(0))


def rescan(count):
    begin(f"Rescan of an unchanged tree of {count:,} small files")
    tree = fresh(WORK / f"small-{count}", small_tree(count))
    catalog = WORK / f"small-{count}.sqlite"
    firsts = []
    for _ in range(3 if count <= 100_000 else 1):
        remove(catalog)
        firsts.append(run([SHOEBOX, "scan", tree], catalog))
    figure(f"first scan of {count:,} small files", [count / seconds for seconds, _ in firsts], "files/s")
    figure(f"peak memory of shoebox, first scan of {count:,}", max(peak for _, peak in firsts), "MB")
    compare(
        f"rescan of {count:,} unchanged files", "find -type f -printf '%s %T@ %i\\n'",
        lambda: cost([SHOEBOX, "scan"], catalog),
        lambda: cost(["find", tree, "-type", "f", "-printf", "%s %T@ %i\\n"]), rounds=3 * ROUNDS,
    )
    figure(f"peak memory of shoebox, rescan of {count:,}", run([SHOEBOX, "scan"], catalog)[1], "MB")


def beyond(idle, times):
    """How many milliseconds each time is above the least idle one."""
    return [(seconds - min(idle)) * 1000 for seconds in times]


def one_change(count):
    """What settling live photos again costs after one file has changed: the scan less an idle one."""
    begin(f"One change in a library of {count:,} halves of live photos")
    tree = fresh(WORK / f"live-{count}", live_tree(count))
    catalog = WORK / f"live-{count}.sqlite"
    remove(catalog)
    figure(f"first scan of {count:,} halves, pairs settled", run([SHOEBOX, "scan", tree], catalog)[0], "s")
    first, second = sorted(tree.glob("00/*"))[:2]
    clip = min(first.glob("*.MOV"))
    moves = [(clip, second / clip.name), (second / clip.name, clip)]
    idle, touched, moved = [], [], []
    for _ in range(2 * ROUNDS):
        idle.append(run([SHOEBOX, "scan"], catalog)[0])
        clip.touch()
        touched.append(run([SHOEBOX, "scan"], catalog)[0])
    for number in range(2 * ROUNDS):
        source, target = moves[number % 2]
        source.rename(target)
        moved.append(run([SHOEBOX, "scan"], catalog)[0])
    figure("one clip moved to another folder: beyond an idle rescan", beyond(idle, moved), "ms")
    figure("one clip touched, a worker started: beyond an idle rescan", beyond(idle, touched), "ms")


def one_new(count):
    """What one new picture in a large folder costs: the scan less an idle one."""
    begin(f"One new picture in a folder of {count:,}")
    tree = fresh(WORK / f"folder-{count}", small_tree(count, per_folder=count))
    catalog = WORK / f"folder-{count}.sqlite"
    remove(catalog)
    first = min(tree.glob("00/0000/picture*.gif"))
    for new in tree.glob("00/0000/new*.gif"):
        new.unlink()
    run([SHOEBOX, "scan", tree], catalog)
    idle, added = [], []
    for number in range(2 * ROUNDS):
        # By now, the times of the last file prove that it is unchanged.
        time.sleep(0.3)
        run([SHOEBOX, "scan"], catalog)
        idle.append(run([SHOEBOX, "scan"], catalog)[0])
        (first.parent / f"new{number}.gif").write_bytes(first.read_bytes() + b"%d" % number)
        added.append(run([SHOEBOX, "scan"], catalog)[0])
    figure("rescan, nothing changed", [seconds * 1000 for seconds in idle], "ms")
    figure("one new picture, a worker started: beyond an idle rescan", beyond(idle, added), "ms")
