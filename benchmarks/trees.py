"""Trees of media files that the measurements scan and export."""
import os
import shutil
import subprocess
import zlib
from datetime import datetime, timedelta
from pathlib import Path

import samples
from measuring import HERE, WORK, count_files, fresh

PER_FOLDER = 200


def sample_set():
    """The folder of the public sample set, made once."""
    return fresh(WORK / "samples", samples.make)


def distinct(content, number):
    """A copy of a sample that differs from all others, as photos do: its identifier and its capture time are replaced.
    A still and a clip with equal numbers are a live photo."""
    identifier = samples.IDENTIFIER[:-12] + b"%012d" % number
    moment = datetime(2005, 1, 1) + timedelta(minutes=1753 * number)
    changed = content.replace(samples.IDENTIFIER, identifier)
    changed = changed.replace(samples.EXIF_TIME, moment.strftime("%Y:%m:%d %H:%M:%S").encode())
    changed = changed.replace(samples.MOVIE_TIME, moment.strftime("%Y-%m-%dT%H:%M:%S+0200").encode())
    if content.startswith(b"\x89PNG"):
        chunk = b"tEXtComment\0%012d" % number
        size, check = len(chunk) - 4, zlib.crc32(chunk)
        changed = changed[:-12] + size.to_bytes(4, "big") + chunk + check.to_bytes(4, "big") + changed[-12:]
    return changed


# Of a hundred items of a library: how many are of each kind. A live photo is two files.
MIX = (
    (52, ("camera-{}.jpg",), "DSC_{:05}.JPG"),
    (14, ("phone-{}.heic",), "IMG_{:05}.HEIC"),
    (14, ("phone-{}.heic", "phone.mov"), "IMG_{:05}.HEIC"),
    (8, ("clip.mp4",), "VID_{:05}.MP4"),
    (6, ("screen.png",), "Screenshot_{:05}.PNG"),
    (3, ("web.webp",), "web_{:05}.webp"),
    (2, ("web.avif",), "web_{:05}.avif"),
    (1, ("scan.tiff",), "scan_{:05}.tiff"),
)
ITEMS = [(sources, name) for count, sources, name in MIX for _ in range(count)]


def library_tree(count):
    """At least `count` files of the kinds and proportions of a private library, all different; every tenth photo of a
    camera has an XMP sidecar."""

    def make(path):
        pool = {file.name: file.read_bytes() for file in sample_set().iterdir() if file.stat().st_size < 4 << 20}
        made = number = 0
        while made < count:
            folder = path / f"{2005 + number // 1000}" / f"Event {number // PER_FOLDER:04}"
            folder.mkdir(parents=True, exist_ok=True)
            # 37 and 100 have no common divisor: each hundred has all items, in another order than the list.
            sources, pattern = ITEMS[number * 37 % len(ITEMS)]
            name = pattern.format(number)
            for source in sources:
                target = folder / (name if source == sources[0] else f"{Path(name).stem}.MOV")
                target.write_bytes(distinct(pool[source.format(4 + number % 4)], number))
                made += 1
            if name.startswith("DSC") and number % 10 == 0:
                (folder / name).with_suffix(".xmp").write_text(SIDECAR.format(number % 6))
                made += 1
            number += 1

    return make


SIDECAR = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmp:Rating="{}"><dc:subject><rdf:Bag><rdf:li>holiday</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF>
</x:xmpmeta>
"""


def large_tree(start, count):
    """`count` different pictures of twelve megapixels from the samples whose names begin with `start`."""

    def make(path):
        path.mkdir(parents=True)
        sources = [file.read_bytes() for file in sorted(sample_set().glob(f"{start}*.heic"))]
        for number in range(count):
            (path / f"IMG_{number:04}.HEIC").write_bytes(distinct(sources[number % len(sources)], number))

    return make


def movie_tree(name):
    """One movie of the samples."""

    def make(path):
        path.mkdir(parents=True)
        shutil.copyfile(sample_set() / name, path / "clip.mov")

    return make


def corpus_tree(count):
    """Private media for `compare`: those below SHOEBOX_CORPUS, copied until there are `count` files."""

    def make(path):
        path.mkdir(parents=True)
        source = Path(os.environ["SHOEBOX_CORPUS"]) / "library"
        for number in range(1, -(-count // count_files(source)) + 1):
            subprocess.run(["cp", "-a", source, path / str(number)], check=True)

    return make


def small_tree(count, per_folder=500):
    """`count` pictures of one pixel that all differ."""

    def make(path):
        for number in range(count):
            folder = path / f"{number // 100_000:02}" / f"{number // per_folder:04}"
            if number % per_folder == 0:
                folder.mkdir(parents=True)
            comment = b"%010d" % number
            (folder / f"picture{number:07}.gif").write_bytes(
                b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xfe\x0a" + comment + b"\0"
                b",\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;"
            )

    return make


def live_tree(count):
    """`count` stills and clips of iPhone's kind, all differing, each pair with an identifier of its own."""

    def make(path):
        still, clip = (sample_set() / "live.jpg").read_bytes(), (sample_set() / "live.mov").read_bytes()
        for number in range(count // 2):
            folder = path / f"{number // 25_000:02}" / f"{number // 250:04}"
            if number % 250 == 0:
                folder.mkdir(parents=True)
            (folder / f"IMG_{number:06}.JPG").write_bytes(distinct(still, number))
            (folder / f"IMG_{number:06}.MOV").write_bytes(distinct(clip, number))

    return make
