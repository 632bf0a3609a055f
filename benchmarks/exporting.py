"""Exports against the tools that people use for them today, on the same files, with as many cores."""
import os
import shlex
import shutil
import subprocess

from measuring import ROUNDS, SHOEBOX, WORK, begin, compare, cost, emptied, figure, fresh, remove
from trees import large_tree, movie_tree

TARGET = WORK / "exported"


def export(catalog, *options):
    return lambda: cost([SHOEBOX, "export", *options, "--to", TARGET], catalog)


def scanned(tree, name):
    """A new catalog of a tree."""
    catalog = WORK / f"{name}.sqlite"
    remove(catalog)
    cost([SHOEBOX, "scan", tree], catalog)
    return catalog


def side_by_side(tree, command):
    """Runs a command for each file of a tree, one process for each core at a time: {} is the file, {/.} its name."""
    cores = len(os.sched_getaffinity(0))
    script = f'stem=$(basename "$1" .HEIC); {command}'
    return lambda: cost(
        ["sh", "-c", f"find {shlex.quote(str(tree))} -type f -print0 | xargs -0 -P {cores} -n 1 sh -c {shlex.quote(script)} sh"]
    )


def pictures():
    begin("Exports of HEIC pictures of 12 megapixels")
    quoted = shlex.quote(str(TARGET))
    for start, count, what in (("tiled", 24, "24 of 512-pixel tiles"), ("whole", 12, "12 of one piece")):
        tree = fresh(WORK / f"large-{start}", large_tree(start, count))
        catalog = scanned(tree, start)
        seconds = compare(
            f"HEIC to JPEG, {what}", "heif-dec -q 90",
            export(catalog), side_by_side(tree, f'exec heif-dec -q 90 "$1" {quoted}/"$stem".jpg'),
            measures=("wall", "cpu"), rounds=3, prepare=lambda: emptied(TARGET),
        )
        figure(f"HEIC to JPEG, {what}", count / seconds, "pictures/s")
        if shutil.which("vips") and start == "tiled":
            compare(
                f"HEIC to JPEG, {what}", "vips copy", export(catalog),
                side_by_side(tree, f'exec vips copy "$1" {quoted}/"$stem".jpg[Q=90]'),
                measures=("wall", "cpu"), rounds=3, prepare=lambda: emptied(TARGET),
            )


def copies():
    """`current` copies like `cp -r`, and syncs what it has copied; `sync` has cp do that too."""
    begin("Exports without conversion")
    tree = fresh(WORK / "large-many", large_tree("tiled", 400))
    catalog = scanned(tree, "many")
    command = f"cp -r {shlex.quote(str(tree))} {shlex.quote(str(TARGET))}"
    for peer, script in (("cp -r", command), ("cp -r && sync", f"{command} && sync -f {shlex.quote(str(TARGET))}")):
        compare(
            "current, 400 pictures", peer, export(catalog, "--preset", "current"), lambda: cost(["sh", "-c", script]),
            prepare=lambda: emptied(TARGET),
        )
    shutil.rmtree(TARGET)


def likeness(one, source, size):
    """The structural similarity of a video with its source brought to the same size."""
    width, height = size
    outcome = subprocess.run(
        ["ffmpeg", "-i", one, "-i", source, "-lavfi"]
        + [f"[1:v]scale={width}:{height}:flags=bicubic[r];[0:v][r]ssim", "-f", "null", "-"],
        stderr=subprocess.PIPE,
    )
    return float(outcome.stderr.decode().split("All:")[-1].split()[0])


def videos():
    begin("Exports of videos")
    threads = len(os.sched_getaffinity(0))
    peer = WORK / "peer.mp4"
    for label, name, preset, box in (
        ("1080p to 1280x720", "movie-1080.mov", "1280x720", (1280, 720)),
        ("4K to 1920x1080", "movie-2160.mov", "1920x1080", (1920, 1080)),
    ):
        tree = fresh(WORK / name.removesuffix(".mov"), movie_tree(name))
        source = tree / "clip.mov"
        catalog = scanned(tree, "clip")
        encode = [
            "ffmpeg", "-y", "-v", "error", "-i", source, "-vf", f"scale={box[0]}:{box[1]}:flags=bicubic",
            "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p", "-threads", threads,
            "-c:a", "copy", "-movflags", "+faststart", peer,
        ]
        compare(
            f"H.264 {label}", "ffmpeg, same encoder", export(catalog, "--video-preset", preset), lambda: cost(encode),
            measures=("wall", "cpu", "peak"), rounds=3, prepare=lambda: emptied(TARGET),
        )
        emptied(TARGET)
        export(catalog, "--video-preset", preset)()
        made = TARGET / "clip.mp4"
        figure(f"H.264 {label}, size against ffmpeg's", made.stat().st_size / peer.stat().st_size, "")
        gap = likeness(made, source, box) - likeness(peer, source, box)
        figure(f"H.264 {label}, SSIM beyond ffmpeg's", gap, "")
        remux = ["ffmpeg", "-y", "-v", "error", "-i", source, "-c", "copy", "-movflags", "+faststart", peer]
        compare(
            f"MOV to MP4 without encoding, {label.split()[0]}", "ffmpeg -c copy", export(catalog), lambda: cost(remux),
            rounds=4 * ROUNDS, prepare=lambda: emptied(TARGET),
        )
    shutil.rmtree(TARGET)
