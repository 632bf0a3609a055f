#!/usr/bin/env python3
"""The public sample set: made by this script from nothing but numbers, checked against samples.json.

usage: samples.py FOLDER            make the set (FOLDER must not exist) and compare it with the manifest
       samples.py FOLDER --record   make the set and write the manifest

All pixels follow from SHAKE-256 of a name, and FFmpeg's own test pictures. ffmpeg, heif-enc, ImageMagick and exiftool,
which `.ci/setup bench` installs, turn them into files. Two runs with the same tools make the same bytes. Other versions
of an encoder may write other bytes; the manifest therefore has, for each file, the SHA-256 of its bytes and of its decoded
pixels, its size, the tools that made it, and their versions. A difference is a warning that names the file, the kind of
difference and both versions. It is not an error: ratios of almost equal files are still comparable.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # keep the source folder clean

MANIFEST = Path(__file__).resolve().parent / "samples.json"
# What trees.py replaces in each copy of a sample: an identifier that pairs a still and a clip, and the capture time.
IDENTIFIER = b"6D1F4A52-93C7-4E0B-A1D8-000000000000"
EXIF_TIME = b"2024:06:01 10:15:30"
MOVIE_TIME = b"2024-06-01T10:15:30+0200"
TILE = 512  # pixels: the tiles of an iPhone's HEIC
VERSION_COMMANDS = {
    "ffmpeg": ["ffmpeg", "-version"],
    "heif-enc": ["heif-enc", "--version"],
    "imagemagick": ["convert", "-version"],
    "exiftool": ["exiftool", "-ver"],
    "x264": ["dpkg-query", "-W", "-f", "${Version}\n", "libx264-*"],
    "x265": ["dpkg-query", "-W", "-f", "${Version}\n", "libx265-*"],
    "aom": ["dpkg-query", "-W", "-f", "${Version}\n", "libaom3"],
}
EXACT = "bicubic+accurate_rnd+bitexact"


def tool_versions():
    """The version of each tool, `not found` for one that is not installed."""
    found = {}
    for tool, command in VERSION_COMMANDS.items():
        try:
            text = subprocess.run(command, capture_output=True, text=True).stdout
        except FileNotFoundError:
            text = ""
        match = re.search(r"\d+(?::\d+)?\.\d[^\s,]*", text)
        found[tool] = match[0] if match else "not found"
    return found


def tool(*command, **options):
    """Runs a tool quietly; ends the program with the tool's message if it fails."""
    environment = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    done = subprocess.run([*map(str, command)], env=environment, capture_output=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.decode(errors='replace').strip()[-500:]}; command: {command}")
    return done.stdout


def ffmpeg(*arguments, **options):
    return tool("ffmpeg", "-v", "error", "-y", "-threads", "1", *arguments, **options)


def scene(work, number, width, height):
    """A PNG with the spectrum of a photograph: noise of four scales, the fine ones weak."""
    target = work / f"scene-{number}-{width}.png"
    inputs, scaled, names = [], [], ""
    for layer, divisor in enumerate((96, 24, 6, 1)):
        across, down = -(-width // divisor), -(-height // divisor)
        raw = work / f"{target.stem}-{layer}.rgb"
        raw.write_bytes(hashlib.shake_256(f"scene {number} layer {layer}".encode()).digest(across * down * 3))
        inputs += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{across}x{down}", "-i", raw]
        scaled.append(f"[{layer}]scale={width}:{height}:flags={EXACT},setsar=1[l{layer}]")
        names += f"[l{layer}]"
    graph = ";".join(scaled) + f";{names}mix=inputs=4:weights=20 9 4 2,format=rgb24"
    ffmpeg(*inputs, "-filter_complex", graph, "-frames:v", "1", "-bitexact", target)
    for raw in work.glob(f"{target.stem}-*.rgb"):
        raw.unlink()
    return target


def tiled_heic(picture, target, work):
    """A HEIC of 512-pixel tiles, the way iPhones write them."""
    tiles = Path(tempfile.mkdtemp(dir=work))
    width, height = 4032, 3024
    columns, rows = -(-width // TILE), -(-height // TILE)
    padded = f"pad={columns * TILE}:{rows * TILE},untile={columns}x{rows}"
    ffmpeg("-i", picture, "-vf", padded, "-bitexact", "-start_number", "0", tiles / "raw-%03d.png")
    for number, tile in enumerate(sorted(tiles.glob("raw-*.png"))):
        tile.rename(tiles / f"tile-{number // columns:02}-{number % columns:02}.png")
    tool(
        "heif-enc", "-q", "50", "-p", "preset=fast", "-T", "--tiled-image-width", width, "--tiled-image-height", height,
        tiles / "tile-00-00.png", "-o", target,
    )
    shutil.rmtree(tiles)


def movie(target, size, seconds, encoder, *options):
    """A clip with grain, which is as hard to encode as a real one, and a tone."""
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30:d={seconds}", "-f", "lavfi", "-i", f"sine=440:r=48000:d={seconds}",
        "-vf", "noise=alls=5:allf=t:all_seed=1", "-c:v", encoder, "-pix_fmt", "yuv420p", *options,
        "-c:a", "aac", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", target,
    )


X264 = ("-preset", "veryfast", "-crf", "23", "-x264-params", "threads=1:lookahead-threads=1")
X265 = ("-preset", "ultrafast", "-x265-params", "log-level=error:pools=none:frame-threads=1", "-tag:v", "hvc1")
QUICKTIME = (
    "-movflags", "use_metadata_tags",
    "-metadata", f"com.apple.quicktime.content.identifier={IDENTIFIER.decode()}",
    "-metadata", f"com.apple.quicktime.creationdate={MOVIE_TIME.decode()}",
    "-metadata", "com.apple.quicktime.make=Apple", "-metadata", "com.apple.quicktime.model=iPhone 13 Pro",
    "-metadata", "com.apple.quicktime.location.ISO6709=+46.9480+007.4474+542/",
)
# Apple's maker note with a content identifier; docs/formats.md has its layout.
MAKER_NOTE = b"Apple iOS\0\0\x01MM\0\x01\0\x11\0\x02\0\0\0\x25\0\0\0\x20\0\0\0\0" + IDENTIFIER + b"\0"
TIME_TAGS = (f"-DateTimeOriginal={EXIF_TIME.decode()}", "-OffsetTimeOriginal=+02:00", f"-ImageUniqueID={IDENTIFIER.decode()}")
PLACE_TAGS = ("-GPSLatitude=47.5596", "-GPSLatitudeRef=N", "-GPSLongitude=7.5886", "-GPSLongitudeRef=E", "-GPSAltitude=260",
              "-GPSAltitudeRef=0")
CAMERA_TAGS = (
    "-Make=Canon", "-Model=Canon EOS R5", "-LensModel=RF24-105mm F4 L IS USM", "-FNumber=4", "-ExposureTime=1/250",
    "-ISO=400", "-FocalLength=50", "-XMP:Rating=4", "-XMP:Subject=family", "-XMP:Subject=winter", "-IPTC:Keywords=snow",
)
PHONE_TAGS = (
    "-Make=Apple", "-Model=iPhone 13 Pro", "-Software=17.5.1", "-LensModel=iPhone 13 Pro back triple camera 5.7mm f/1.5",
    "-FNumber=1.5", "-ExposureTime=1/60", "-ISO=250", "-FocalLength=5.7", "-FocalLengthIn35mmFormat=26",
)


def make(folder):
    """Makes all samples in a new folder. Some take minutes of processor time; each core makes one at a time."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        (work / "makernote").write_bytes(MAKER_NOTE)
        phone = (*TIME_TAGS, *PHONE_TAGS, *PLACE_TAGS, f"-MakerNoteApple<={work}/makernote")

        def tag(name, *options):
            tool("exiftool", "-q", "-q", "-overwrite_original", *options, folder / name)

        def large(number):
            picture = scene(work, number, 4032, 3024)
            tiled_heic(picture, folder / f"tiled-{number}.heic", work)
            tool("heif-enc", "-q", "50", "-p", "preset=fast", picture, "-o", folder / f"whole-{number}.heic")
            tag(f"tiled-{number}.heic", *phone)
            tag(f"whole-{number}.heic", *phone)

        def small(number):
            picture = scene(work, number, 1280, 960)
            ffmpeg("-i", picture, "-q:v", "4", "-pix_fmt", "yuvj420p", "-bitexact", folder / f"camera-{number}.jpg")
            tag(f"camera-{number}.jpg", *TIME_TAGS, *CAMERA_TAGS, *(PLACE_TAGS if number % 2 else ()))
            tool("heif-enc", "-q", "50", "-p", "preset=fast", picture, "-o", folder / f"phone-{number}.heic")
            tag(f"phone-{number}.heic", *phone)

        def others():
            picture = scene(work, 9, 1280, 960)
            tool("heif-enc", "-A", "-q", "50", "-p", "speed=8", picture, "-o", folder / "web.avif")
            ffmpeg("-i", picture, "-c:v", "libwebp", "-q:v", "75", "-bitexact", folder / "web.webp")
            tool("convert", picture, "-strip", "-compress", "LZW", folder / "scan.tiff")
            ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1170x2532", "-frames:v", "1", "-bitexact", folder / "screen.png")
            for name in ("web.avif", "web.webp", "scan.tiff"):
                tag(name, *TIME_TAGS)
            tag("screen.png", "-EXIF:UserComment=Screenshot", *TIME_TAGS[:1])

        def halves():
            """Small halves of a live photo, of which a tree has 200,000."""
            ffmpeg("-f", "lavfi", "-i", "color=red:s=32x24", "-frames:v", "1", "-bitexact", folder / "live.jpg")
            tag("live.jpg", *TIME_TAGS, "-Make=Apple", f"-MakerNoteApple<={work}/makernote")
            ffmpeg("-f", "lavfi", "-i", "color=red:s=32x24:r=10:d=1", "-c:v", "mjpeg", *QUICKTIME, "-fflags", "+bitexact",
                   "-flags:v", "+bitexact", folder / "live.mov")

        def movies():
            movie(folder / "phone.mov", "640x480", 2, "libx265", *X265, *QUICKTIME)
            movie(folder / "clip.mp4", "640x360", 2, "libx264", *X264, "-metadata", "creation_time=2024-06-01T08:15:30Z",
                  "-metadata", f"comment={IDENTIFIER.decode()}")
            movie(folder / "movie-1080.mov", "1920x1080", 10, "libx264", *X264, *QUICKTIME)

        def large_movie():
            movie(folder / "movie-2160.mov", "3840x2160", 4, "libx264", *X264, *QUICKTIME)

        jobs = [large_movie, movies, *((lambda n=n: large(n)) for n in range(1, 4)),
                *((lambda n=n: small(n)) for n in range(4, 8)), others, halves]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for done in [pool.submit(job) for job in jobs]:
                done.result()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def pixels(file):
    """The SHA-256 of a file's decoded pixels; HEIF files first become PNG by heif-dec."""
    source, temporary = file, None
    if file.suffix in (".heic", ".avif"):
        temporary = tempfile.TemporaryDirectory()
        source = Path(temporary.name) / "decoded.png"
        tool("heif-dec", "-q", "100", file, source)
    raw = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-flags", "bitexact", "-idct", "simple", "-i", source, "-map", "0:v:0", "-f", "rawvideo", "-"],
        stdout=subprocess.PIPE,
    )
    digest = hashlib.sha256()
    while chunk := raw.stdout.read(1 << 20):
        digest.update(chunk)
    if raw.wait() != 0:
        sys.exit(f"ffmpeg could not decode {file}")
    if temporary:
        temporary.cleanup()
    return digest.hexdigest()


# The tools that determine the bytes of a sample, by the start of its name.
MAKERS = {
    "tiled": ("ffmpeg", "heif-enc", "x265", "exiftool"), "whole": ("ffmpeg", "heif-enc", "x265", "exiftool"),
    "phone-": ("ffmpeg", "heif-enc", "x265", "exiftool"), "camera": ("ffmpeg", "exiftool"),
    "web.avif": ("ffmpeg", "heif-enc", "aom", "exiftool"), "web.webp": ("ffmpeg", "exiftool"),
    "scan": ("ffmpeg", "imagemagick", "exiftool"), "screen": ("ffmpeg", "exiftool"),
    "phone.mov": ("ffmpeg", "x265"), "clip": ("ffmpeg", "x264"),
    "live.jpg": ("ffmpeg", "exiftool"), "live.mov": ("ffmpeg",), "movie": ("ffmpeg", "x264"),
}


def makers(name):
    return next(tools for start, tools in MAKERS.items() if name.startswith(start))


def described(folder, known={}):
    """The manifest of a folder of samples. Files whose bytes are `known` are not decoded again."""
    files = {}
    for file in sorted(folder.iterdir()):
        digest, before = sha256(file.read_bytes()), known.get(file.name, {})
        same = before.get("sha256") == digest
        files[file.name] = {
            "sha256": digest, "pixels": before["pixels"] if same else pixels(file), "size": file.stat().st_size
        }
    return {"tools": tool_versions(), "files": files}


def differences(recorded, found):
    """Compares two manifests: the number of files that are `identical`, have the same `pixels`, or are `other`, and
    a warning for each that is not identical."""
    counts, warnings = {"identical": 0, "pixels": 0, "other": 0}, []
    for name in sorted(recorded["files"].keys() | found["files"].keys()):
        before, after = recorded["files"].get(name), found["files"].get(name)
        if before is None or after is None:
            counts["other"] += 1
            warnings.append(f"{name}: only in {'this set' if before is None else 'the manifest'}")
            continue
        if before["sha256"] == after["sha256"]:
            counts["identical"] += 1
            continue
        kind = "pixels" if before["pixels"] == after["pixels"] else "other"
        counts[kind] += 1
        change = 100 * (after["size"] / before["size"] - 1)
        what = "other metadata or container, same pixels" if kind == "pixels" else "other pixels"
        versions = [
            f"{tool} {found['tools'][tool]} instead of {recorded['tools'][tool]}"
            for tool in makers(name) if found["tools"][tool] != recorded["tools"][tool]
        ]
        reason = ", ".join(versions) or "the same versions of the tools, so another cause"
        warnings.append(f"{name}: {what}, size {change:+.1f} %: {reason}")
    return counts, warnings


def check(folder):
    """Compares the set with the recorded manifest; prints the outcome and returns it for the results."""
    recorded = json.loads(MANIFEST.read_text())
    found = described(folder, recorded["files"])
    counts, warnings = differences(recorded, found)
    for warning in warnings:
        print(f"warning: sample {warning}", file=sys.stderr)
    print(
        f"samples: {counts['identical']} identical to benchmarks/samples.json, {counts['pixels']} with the same pixels,"
        f" {counts['other']} others",
        flush=True,
    )
    listed = json.dumps(found["files"], sort_keys=True).encode()
    return {"sha256": sha256(listed), **counts, "warnings": warnings}


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-") or sys.argv[2:] not in ([], ["--record"]):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    if folder.exists():
        sys.exit(f"{folder} exists; name a folder that does not")
    make(folder)
    if sys.argv[2:]:
        MANIFEST.write_text(json.dumps(described(folder), indent=1, sort_keys=True) + "\n")
    else:
        check(folder)


if __name__ == "__main__":
    main()
