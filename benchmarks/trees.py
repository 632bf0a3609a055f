"""Trees of media files that the measurements scan and export."""
import os
import shutil
import subprocess
from pathlib import Path

from measuring import HERE, count_files


def media_tree(count):
    """The corpus, or the sample library without one, copied until there are `count` files."""

    def make(path):
        path.mkdir(parents=True)
        if corpus := os.environ.get("SHOEBOX_CORPUS"):
            source = Path(corpus) / "library"
        else:
            source = path / "1"
            subprocess.run([HERE.parent / "Tests/Support/SampleLibrary/make-sample-library", source], check=True)
        copies = -(-count // count_files(source))
        for number in range(1, copies + 1):
            if path / str(number) != source:
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
        pool = path.with_name("media-pool")
        shutil.rmtree(pool, ignore_errors=True)
        subprocess.run([HERE.parent / "Tests/Support/SampleLibrary/make-media-pool", pool], check=True)
        still = (pool / "still-a1.jpg").read_bytes()
        clip = (pool / "clip-a1.mov").read_bytes()
        shared = b"6D1F4A52-93C7-4E0B-A1D8-2F5B7C9E0A31"
        assert shared in still and shared in clip
        for number in range(count // 2):
            folder = path / f"{number // 25_000:02}" / f"{number // 250:04}"
            if number % 250 == 0:
                folder.mkdir(parents=True)
            own = shared[:-12] + b"%012d" % number
            (folder / f"IMG_{number:06}.JPG").write_bytes(still.replace(shared, own))
            (folder / f"IMG_{number:06}.MOV").write_bytes(clip.replace(shared, own))

    return make
