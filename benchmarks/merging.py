"""Merges of many catalogs: few large ones and many small ones, into a new catalog and into one that exists."""
import shutil
import sqlite3
import subprocess

from measuring import HERE, SHOEBOX, WORK, begin, cost, figure, fresh, remove

# What distinguishes the catalogs of different libraries: the path, and what is random in a real one.
DISTINCT = """
    UPDATE roots SET path = '/benchmark/' || :name;
    UPDATE secrets SET value = randomblob(length(value));
    UPDATE assets SET identifier = randomblob(16), content_identifier = iif(content_identifier IS NULL, NULL,
        :name || hex(content_identifier));
    UPDATE files SET fingerprint = iif(fingerprint IS NULL, NULL, randomblob(16));
"""


def catalogs(folder, number, size):
    """A number of catalogs with so many pictures and videos each, with nothing left to settle."""
    folder.mkdir()
    first = folder / "first"
    subprocess.run([HERE / "generate-catalog.sh", first, str(size)], check=True)
    catalog = sqlite3.connect(first, isolation_level=None)
    for table in ("zones", "contents", "families", "identifiers"):
        catalog.execute(f"DELETE FROM unsettled_{table}")
    catalog.execute("DELETE FROM search_changes")
    catalog.execute("PRAGMA journal_mode = DELETE")
    catalog.close()
    for index in range(number):
        path = folder / f"{index}.sqlite"
        shutil.copyfile(first, path)
        catalog = sqlite3.connect(path, isolation_level=None)
        catalog.execute("PRAGMA synchronous = OFF")
        for statement in DISTINCT.split(";\n"):
            catalog.execute(statement, {"name": f"{size} {index}"} if ":name" in statement else {})
        catalog.close()
    first.unlink()


def merged(folder, name, before=()):
    """Merges the catalogs of a folder into a new one, after others: assets, seconds, CPU time and MB of memory."""
    catalog = WORK / name
    remove(catalog)
    command = [SHOEBOX, "catalog", "merge", "--into", str(catalog)]
    if before:
        subprocess.run([*command, *before], check=True, stdout=subprocess.DEVNULL)
    known = count(catalog) if before else 0
    figures = cost([*command, *sorted(map(str, folder.glob("*.sqlite")))])
    return count(catalog) - known, *figures


def count(path):
    catalog = sqlite3.connect(path)
    number = catalog.execute("SELECT count(*) FROM assets").fetchone()[0]
    catalog.close()
    return number


def merging():
    begin("Merging catalogs")
    large = fresh(WORK / "merge-large", lambda path: catalogs(path, 10, 100_000))
    small = fresh(WORK / "merge-small", lambda path: catalogs(path, 1_000, 1_000))
    for folder, what in ((large, "10 catalogs of 100,000"), (small, "1,000 catalogs of 1,000")):
        rounds = [merged(folder, "merged.sqlite") for _ in range(3)]
        figure(f"merge of {what} into a new one", [assets / seconds for assets, seconds, *_ in rounds], "assets/s")
        figure(f"merge of {what}, CPU time", [processor for _, _, processor, _ in rounds], "s")
        figure(f"merge of {what}, peak memory", [peak for *_, peak in rounds], "MB")
    assets, seconds, *_ = merged(large, "merged.sqlite", before=[small / "0.sqlite"])
    figure("merge of the 10 into one that exists", assets / seconds, "assets/s")
    remove(WORK / "merged.sqlite")
