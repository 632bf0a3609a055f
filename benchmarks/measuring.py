"""What all measurements share: running commands, keeping figures, making trees once."""
import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE / "work"
PROGRAMS = Path(sys.argv[1]).resolve()
SHOEBOX = str(PROGRAMS / "shoebox")
ROUNDS = 5
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
results = []


def report(what, value):
    results.append((what, value))
    print(f"  {what:<66} {value}", flush=True)


def run(command, catalog=None):
    """Runs a command to its end: seconds, and the peak memory in MB of that process alone."""
    environment = {**os.environ, "NO_COLOR": "1"}
    if catalog:
        environment["SHOEBOX_CATALOG"] = str(catalog)
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0.0
    pause = 0.001
    while process.poll() is None:
        # Not getrusage: that would count the codec processes, which are children of this one.
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) / 1024)
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass  # it has ended
        time.sleep(pause)
        pause = min(pause * 1.2, 0.02)
    seconds = time.perf_counter() - begun
    # 1 is "finished, but some items failed": corpora hold broken files.
    if process.returncode not in (0, 1):
        sys.exit(f"{command} ended with {process.returncode}")
    return seconds, peak


def quick(command, catalog=None, rounds=21):
    """The median time of a short command, in milliseconds, without looking at its memory."""
    environment = {**os.environ, "SHOEBOX_CATALOG": str(catalog)} if catalog else None
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
        )
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


def remove(catalog):
    for suffix in ("", "-wal", "-shm", ".lock"):
        Path(str(catalog) + suffix).unlink(missing_ok=True)


def fresh(path, make):
    """Makes a tree or a file once; one that was left half made is made again."""
    done = path.with_name(path.name + ".done")
    if not done.exists():
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        print(f"making {path.relative_to(HERE)} …", flush=True)
        make(path)
        done.touch()
    return path


def count_files(tree):
    return sum(len(files) for _, _, files in os.walk(tree))


def cost(command, catalog=None):
    """Runs a command to its end: seconds of wall time, seconds of CPU time, and the peak memory in MB of
    its largest process; the processes it has started count, also those that end after it."""
    adopt_orphans()
    environment = {**os.environ, "NO_COLOR": "1"}
    if catalog:
        environment["SHOEBOX_CATALOG"] = str(catalog)
    before = cpu_of_children()
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{command} ended with {process.returncode}")
    peak = usage.ru_maxrss
    # shoebox kills the workers that are done and does not wait for them.
    while True:
        try:
            peak = max(peak, os.wait4(-1, 0)[2].ru_maxrss)
        except ChildProcessError:
            return seconds, cpu_of_children() - before, peak / 1024


def cpu_of_children():
    """Seconds of CPU time of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def adopt_orphans():
    """Makes this process the parent of processes whose parent ends, so that their CPU time can be read."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
