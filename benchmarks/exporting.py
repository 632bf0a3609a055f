"""Exports against the tools that people use for them today, on the same files."""
import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path

from measuring import ROUNDS, SHOEBOX, WORK, cost, count_files, fresh, remove, report


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def picture_tree(path):
    """Pictures of twelve megapixels as iPhones write them: the corpus's own, three times each, or made."""
    path.mkdir(parents=True)
    sources = []
    if corpus := os.environ.get("SHOEBOX_CORPUS"):
        catalog = WORK / "corpus-pictures.sqlite"
        remove(catalog)
        cost([SHOEBOX, "scan", str(Path(corpus) / "library")], catalog)
        listed = subprocess.run(
            [SHOEBOX, "list", "--quiet", "--camera", "apple", "--format", "jsonl", "--catalog", catalog],
            stdout=subprocess.PIPE,
        )
        for asset in map(json.loads, listed.stdout.splitlines()):
            size = asset.get("pixelWidth", 0) * asset.get("pixelHeight", 0)
            if asset["uniformType"] == "public.heic" and 11e6 < size < 13e6:
                sources.append(asset["path"])
    for number in range(0 if sources else 4):
        picture = path.with_name(f"plasma{number}.png")
        subprocess.run(
            ["convert", "-seed", str(number), "-size", "4032x3024", "plasma:fractal", picture], check=True
        )
        sources.append(str(picture.with_suffix(".heic")))
        subprocess.run(["heif-enc", "-q", "60", picture, "-o", sources[-1]], check=True)
    for copy in range(3):
        for number, source in enumerate(sources):
            shutil.copy(source, path / f"IMG_{copy}{number:03}.HEIC")


def pictures():
    print("Exports of pictures", flush=True)
    name = "corpus" if os.environ.get("SHOEBOX_CORPUS") else "made"
    tree = fresh(WORK / f"twelve-megapixels-{name}", picture_tree)
    files = sorted(tree.iterdir())
    catalog = WORK / "pictures.sqlite"
    remove(catalog)
    cost([SHOEBOX, "scan", str(tree)], catalog)
    target = WORK / "handed-out"
    report(f"HEIC pictures of 12 megapixels ({name})", f"{len(files)}")
    walls, cpu, peak = {}, {}, {}
    for jobs in ("1", "2"):
        rounds = []
        for _ in range(3):
            rounds.append(
                cost([SHOEBOX, "export", "--jobs", jobs, "--to", str(emptied(target))], catalog)
            )
        walls[jobs], cpu[jobs], peak[jobs] = min(rounds)
    peer_cpu = 0
    for file in files:
        peer_cpu += cost(["heif-dec", "-q", "90", str(file), str(target / "peer.jpg")])[1]
    ours = cpu["1"] / len(files)
    report("shoebox export, CPU time of one picture", f"{ours:.3f} s")
    report("heif-dec -q 90, CPU time of one picture", f"{peer_cpu / len(files):.3f} s")
    report("ratio", f"{ours * len(files) / peer_cpu:.2f} of heif-dec's")
    if shutil.which("vips"):
        vips = sum(
            cost(["vips", "copy", str(file), f"{target}/peer.jpg[Q=90]"])[1] for file in files
        )
        report("ratio", f"{ours * len(files) / vips:.2f} of vips copy's")
    report("two jobs instead of one, wall time", f"{walls['1'] / walls['2']:.2f} times faster")
    report("peak memory of the largest process, one and two jobs", f"{peak['1']:.0f} and {peak['2']:.0f} MB")
    copies(catalog, tree, target)
    library = fresh(WORK / f"library-{name}", many(tree))
    remove(catalog)
    cost([SHOEBOX, "scan", str(library)], catalog)
    copies(catalog, library, target)


def many(tree):
    """The pictures of a tree in forty folders, as a library has them."""

    def make(path):
        for number in range(40):
            shutil.copytree(tree, path / f"{number:02}")

    return make


def copies(catalog, tree, target):
    """`current` does what `cp -r` does, and waits until it is on the disk; `sync` has cp do that too."""
    ours, peer, synced = [], [], []
    for _ in range(ROUNDS):
        ours.append(
            cost([SHOEBOX, "export", "--preset", "current", "--to", str(emptied(target))], catalog)[0]
        )
        emptied(target)
        peer.append(cost(["cp", "-r", str(tree), str(target)])[0])
        emptied(target)
        synced.append(cost(["sh", "-c", f"cp -r '{tree}' '{target}' && sync -f '{target}'"])[0])
    count = count_files(tree)
    for peers, name in ((peer, "cp -r"), (synced, "cp -r and sync")):
        ratio = statistics.median(ours) / statistics.median(peers)
        report(f"current of {count} files, against {name}", f"{ratio:.2f} times its time")
    shutil.rmtree(target)


def clip(size, seconds):
    """A MOV of H.264 and AAC with grain, which encoders find as hard as a real one."""

    def make(path):
        path.mkdir(parents=True)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30:d={seconds}"]
            + ["-f", "lavfi", "-i", f"sine=440:r=48000:d={seconds}", "-vf", "noise=alls=12:allf=t"]
            + ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p"]
            + ["-c:a", "aac", path / "clip.mov"],
            check=True,
        )

    return make


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
    print("Exports of videos", flush=True)
    threads = str(len(os.sched_getaffinity(0)))
    target = WORK / "handed-out"
    for label, size, seconds, preset, box in (
        ("1080p to 1280x720", "1920x1080", 10, "1280x720", (1280, 720)),
        ("4K to 1920x1080", "3840x2160", 4, "1920x1080", (1920, 1080)),
    ):
        tree = fresh(WORK / f"clip-{size}", clip(size, seconds))
        source = tree / "clip.mov"
        catalog = WORK / "clip.sqlite"
        remove(catalog)
        cost([SHOEBOX, "scan", str(tree)], catalog)
        peer = [
            "ffmpeg", "-y", "-v", "error", "-i", str(source), "-vf", f"scale={box[0]}:{box[1]}:flags=bicubic",
            "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p", "-threads", threads,
            "-c:a", "copy", "-movflags", "+faststart", str(WORK / "peer.mp4"),
        ]
        ours, theirs = [], []
        for _ in range(3):
            ours.append(
                cost([SHOEBOX, "export", "--video-preset", preset, "--to", str(emptied(target))], catalog)
            )
            theirs.append(cost(peer))
        made = target / "clip.mp4"
        report(f"{label}, against ffmpeg", f"{min(ours)[0] / min(theirs)[0]:.2f} times its time")
        report(f"{label}, peak memory", f"{min(ours)[2] / min(theirs)[2]:.2f} of ffmpeg's")
        report(f"{label}, size", f"{made.stat().st_size / (WORK / 'peer.mp4').stat().st_size:.3f} of ffmpeg's")
        gap = likeness(made, source, box) - likeness(WORK / "peer.mp4", source, box)
        report(f"{label}, likeness to the source (SSIM)", f"{gap:+.4f} than ffmpeg's")
        remux = min(
            cost([SHOEBOX, "export", "--to", str(emptied(target))], catalog)[0] for _ in range(3)
        )
        again = cost([*peer[:6], *peer[8:]])[0]
        report(f"{size} MOV to MP4 without encoding, against encoding by ffmpeg", f"{again / remux:.0f} times faster")
    shutil.rmtree(target)
