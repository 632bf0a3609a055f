#!/usr/bin/env python3
"""Tests of what the benchmarks compute: the comparison of runs, the manifest, the trees, the alternation of pairs."""
import contextlib
import copy
import io
import json
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

sys.dont_write_bytecode = True  # keep the source folder clean
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.argv = sys.argv[:1]

import measuring
import reporting
import samples
import trees

RUN = {
    "machine": {
        "cores": "2 of 8", "date": "2026-01-02 03:04 +0000", "commit": "0123456789abcdef" * 2 + "01234567", "shoebox": "1",
        "cpu": "CPU", "memory": "8 GB", "system": "Debian", "kernel": "6.1", "file system": "ext4", "virtual machine": "none",
    },
    "peers": {"exiftool": "12.57"},
    "samples": {"sha256": "a", "identical": 1, "pixels": 0, "other": 0, "warnings": []},
    "quiet": {"load": 0.1, "others": 0.01, "is_quiet": True},
    "ratios": [
        {
            "what": what, "measure": "wall", "peer": "peer", "unit": "s", "others": 0.0,
            "ratio": {"min": ratio, "median": ratio, "max": ratio, "count": 3},
            "ours": {"median": ratio}, "theirs": {"median": 1},
        }
        for what, ratio in (("scan", 0.05), ("copy", 1.1))
    ],
    "figures": [{"what": "memory", "unit": "MB", "min": 1, "median": 2, "max": 3, "count": 3}],
}


class CompareResults(unittest.TestCase):
    def outcome(self, change):
        other = copy.deepcopy(RUN)
        change(other)
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("a.json", "b.json")]
            for path, run in zip(paths, (RUN, other)):
                path.write_text(json.dumps(run))
            done = subprocess.run([HERE / "compare-results", *paths], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_equal_runs_agree(self):
        code, output, warnings = self.outcome(lambda run: None)
        self.assertEqual((code, warnings), (0, ""))
        self.assertIn("2 of 2 ratios agree within 20 %", output)

    def test_a_ratio_that_differs_is_named_in_both_directions(self):
        for ratio in (0.05 * 1.21, 0.05 / 1.21):
            code, output, _ = self.outcome(lambda run: run["ratios"][0]["ratio"].update(median=ratio))
            self.assertEqual(code, 1)
            self.assertIn("differs: scan, wall, against peer", output)
            self.assertNotIn("differs: copy", output)

    def test_a_ratio_within_the_limit_agrees(self):
        for ratio in (0.05 * 1.19, 0.05 / 1.19):
            self.assertEqual(self.outcome(lambda run: run["ratios"][0]["ratio"].update(median=ratio))[0], 0)

    def test_rows_of_one_run_are_listed_and_do_not_count(self):
        code, output, _ = self.outcome(lambda run: run["ratios"].pop())
        self.assertEqual(code, 0)
        self.assertIn("copy, wall, against peer: in one run only", output)

    def test_runs_without_a_common_ratio_do_not_agree(self):
        self.assertEqual(self.outcome(lambda run: run.update(ratios=[]))[0], 1)

    def test_doubts_are_warnings(self):
        def change(run):
            run["peers"]["exiftool"] = "13.25"
            run["machine"]["cores"] = "4 of 8"
            run["quiet"]["is_quiet"] = False
            run["samples"].update(sha256="b", warnings=["web.avif: other pixels"])

        code, _, warnings = self.outcome(change)
        self.assertEqual(code, 0)
        for words in ("exiftool: 12.57 and 13.25", "cores: 2 and 4", "second run was busy", "web.avif: other pixels"):
            self.assertIn(words, warnings)


class Manifest(unittest.TestCase):
    recorded = {
        "tools": {"ffmpeg": "5.1", "exiftool": "12.57"},
        "files": {"camera-4.jpg": {"sha256": "a", "pixels": "p", "size": 100}},
    }

    def found(self, **changes):
        found = copy.deepcopy(self.recorded)
        found["tools"]["exiftool"] = "13.25"
        found["files"]["camera-4.jpg"].update(changes)
        return samples.differences(self.recorded, found)

    def test_equal_bytes_need_no_warning(self):
        self.assertEqual(self.found(), ({"identical": 1, "pixels": 0, "other": 0}, []))

    def test_other_metadata_names_the_tool_that_changed(self):
        counts, warnings = self.found(sha256="b", size=101)
        self.assertEqual(counts["pixels"], 1)
        self.assertEqual(
            warnings,
            ["camera-4.jpg: other metadata or container, same pixels, size +1.0 %: exiftool 13.25 instead of 12.57"],
        )

    def test_other_pixels_are_another_kind(self):
        counts, warnings = self.found(sha256="b", pixels="q")
        self.assertEqual(counts["other"], 1)
        self.assertIn("other pixels", warnings[0])

    def test_missing_samples_are_named(self):
        counts, warnings = samples.differences(self.recorded, {"tools": {}, "files": {}})
        self.assertEqual((counts["other"], warnings), (1, ["camera-4.jpg: only in the manifest"]))

    def test_the_recorded_manifest_names_makers_of_all_files(self):
        recorded = json.loads(samples.MANIFEST.read_text())
        for name in recorded["files"]:
            for tool in samples.makers(name):
                self.assertIn(tool, recorded["tools"])


class Trees(unittest.TestCase):
    def test_copies_differ_and_pair(self):
        still = b"x" + samples.IDENTIFIER + samples.EXIF_TIME
        clip = b"y" + samples.IDENTIFIER + samples.MOVIE_TIME
        one, two = trees.distinct(still, 1), trees.distinct(still, 2)
        self.assertEqual(len(one), len(still))
        self.assertNotEqual(one, two)
        self.assertNotIn(samples.EXIF_TIME, one)
        self.assertEqual(one[1:37], trees.distinct(clip, 1)[1:37])

    def test_a_copy_of_a_png_has_a_valid_chunk(self):
        end = b"\0\0\0\0IEND\xae\x42\x60\x82"
        content = trees.distinct(b"\x89PNG\r\n\x1a\n" + end, 7)
        chunk = content[8:-12]
        size, body, check = int.from_bytes(chunk[:4], "big"), chunk[4:-4], int.from_bytes(chunk[-4:], "big")
        self.assertEqual((size, body[:4], check), (len(body) - 4, b"tEXt", zlib.crc32(body)))
        self.assertTrue(content.endswith(end))

    def test_the_mix_is_a_hundred(self):
        self.assertEqual(len(trees.ITEMS), 100)
        self.assertEqual(len({number * 37 % 100 for number in range(100)}), 100)


class Pairs(unittest.TestCase):
    def test_pairs_alternate_and_the_ratio_is_the_median_of_the_pairs(self):
        order, ours = [], iter([9, 1, 4, 3])

        def task(name, seconds):
            def call():
                order.append(name)
                return seconds(), 0.5, 10

            return call

        with contextlib.redirect_stdout(io.StringIO()):
            measuring.compare("what", "peer", task("A", lambda: next(ours)), task("B", lambda: 2), rounds=3)
        self.assertEqual("".join(order), "BA" + "AB" + "BA" + "AB")
        row = measuring.ratios.pop()
        self.assertEqual(row["ratio"], {"min": 0.5, "median": 1.5, "max": 2, "count": 3})
        self.assertEqual(row["ours"]["median"], 3)

    def test_cost_counts_processes_that_end_later(self):
        measuring.adopt_orphans()
        busy = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
        wall, cpu, _ = measuring.cost(["sh", "-c", f"{sys.executable} -c '{busy}' & exit 0"])
        self.assertLess(wall, 0.3)
        self.assertGreaterEqual(cpu, 0.3)


class Report(unittest.TestCase):
    def test_the_table_has_every_row(self):
        text = reporting.markdown(RUN)
        self.assertIn("| scan: time | 50 ms | `peer` 1 s | 1/20 | 1/20–1/20 | 3 |", text)
        self.assertIn("| copy: time | 1.1 s | `peer` 1 s | 1.10 | 1.10–1.10 | 3 |", text)
        self.assertIn("| memory | 2 MB | 1 MB–3 MB | 3 |", text)


if __name__ == "__main__":
    unittest.main()
