"""Running commands, comparing pairs of them fairly, keeping the figures, making trees once."""
import ctypes
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE / "work"
PROGRAMS = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SHOEBOX = str(PROGRAMS / "shoebox")
ROUNDS = 5
LIMIT = 1200  # seconds that one command may take
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
ratios = []
figures = []
section = ""
messages = tempfile.TemporaryFile()  # what the current command prints to standard error


def begin(title):
    """Begins a section of the results."""
    global section
    section = title
    print(f"\n{title}", flush=True)


def spread(values):
    """The least, the median and the largest value, and how many there are."""
    return {"min": min(values), "median": statistics.median(values), "max": max(values), "count": len(values)}


def figure(what, values, unit):
    """Keeps a figure without a peer: one value, or those of several runs. Such figures belong to the machine."""
    values = values if isinstance(values, list) else [values]
    figures.append({"section": section, "what": what, "unit": unit, **spread(values), "values": values})
    middle, least, most = (f"{value:,.4g}" for value in (statistics.median(values), min(values), max(values)))
    print(f"  {what:<70} {middle} {unit}" + (f" ({least}–{most})" if len(values) > 1 else ""), flush=True)


def compare(what, peer, ours, theirs, *, measures=("wall",), rounds=ROUNDS, prepare=None, unit="s"):
    """Runs two tasks in alternating pairs and keeps the ratio of ours to the peer's for each measure.

    `ours` and `theirs` return (wall, CPU, peak memory), as `cost` does. `prepare` runs before each task and is not
    measured. The order within a pair changes from round to round, so that a change of the machine's speed meets both.
    The first pair only warms the caches. The ratio is the median of the ratios of the pairs; below 1 is better.
    Returns the median of our wall time."""
    before = cpu_of_machine()
    samples = []
    for number in range(rounds + 1):
        pair = {}
        for task in (ours, theirs) if number % 2 else (theirs, ours):
            if prepare:
                prepare()
            pair[task] = task()
        if number:
            samples.append((pair[ours], pair[theirs]))
    disturbed = share_of_others(before)
    for measure in measures:
        index = ("wall", "cpu", "peak").index(measure)
        one = [pair[0][index] for pair in samples]
        other = [pair[1][index] for pair in samples]
        ratio = spread([a / max(b, 1e-9) for a, b in zip(one, other)])
        in_unit = "MB" if measure == "peak" else unit
        ratios.append(
            {
                "section": section, "what": what, "measure": measure, "peer": peer, "unit": in_unit,
                "ratio": ratio, "ours": spread(one), "theirs": spread(other), "others": disturbed,
                "samples": {"ours": one, "theirs": other},
            }
        )
        print(
            f"  {what}, {measure}: {spread(one)['median']:.4g} {in_unit}, {peer} {spread(other)['median']:.4g} {in_unit},"
            f" ratio {ratio['median']:.3f} ({ratio['min']:.3f}–{ratio['max']:.3f})",
            flush=True,
        )
    return statistics.median(pair[0][0] for pair in samples)


def cost(command, catalog=None, accepted=(0, 1)):
    """Runs a command to its end: seconds of wall time, seconds of CPU time, and the peak memory in MB of
    its largest process; the processes it has started count, also those that end after it.
    Exit code 1 is "finished, but some items failed"."""
    reap_ended()
    before = cpu_of_children()
    begun = time.perf_counter()
    process = started(command, catalog)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    signal.alarm(0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accepted:
        fail(command, process.returncode)
    peak = usage.ru_maxrss
    # shoebox kills the workers that are done and does not wait for them.
    while True:
        try:
            peak = max(peak, os.wait4(-1, 0)[2].ru_maxrss)
        except ChildProcessError:
            return seconds, cpu_of_children() - before, peak / 1024


def fail(command, code):
    """Ends the program with the last message of a command that failed."""
    messages.seek(0)
    text = messages.read().decode(errors="replace").strip()[-1000:]
    sys.exit(f"{' '.join(map(str, command))} ended with {code}: {text}")


def reap_ended():
    """Waits for the adopted processes that have ended, so that the next cost does not contain theirs."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def started(command, catalog=None):
    """A running command with a limit of time, after which this program ends with a message."""
    environment = {**os.environ, "NO_COLOR": "1"}
    if catalog:
        environment["SHOEBOX_CATALOG"] = str(catalog)
    messages.seek(0)
    messages.truncate()
    process = subprocess.Popen(
        [*map(str, command)], env=environment, stdout=subprocess.DEVNULL, stderr=messages
    )

    def expire(*_):
        process.kill()
        sys.exit(f"{command} took more than {LIMIT} seconds")

    signal.signal(signal.SIGALRM, expire)
    signal.alarm(LIMIT)
    return process


def run(command, catalog=None):
    """Runs a command to its end: seconds, and the peak memory in MB of that process alone."""
    begun = time.perf_counter()
    process = started(command, catalog)
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
    signal.alarm(0)
    if process.returncode not in (0, 1):
        fail(command, process.returncode)
    return seconds, peak


def quick(command, catalog=None, rounds=21):
    """The times of a short command in milliseconds, without looking at its memory."""
    return [cost(command, catalog, accepted=(0,))[0] * 1000 for _ in range(rounds)]


def remove(catalog):
    for suffix in ("", "-wal", "-shm", ".lock"):
        Path(str(catalog) + suffix).unlink(missing_ok=True)


def emptied(folder):
    """An empty folder. What earlier runs wrote is synced first, so that it does not slow down the next one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.sync()
    return folder


def fresh(path, make):
    """Makes a tree or a file once; one that is incomplete is recreated."""
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


def cpu_of_children():
    """Seconds of CPU time of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_of_machine():
    """Seconds on the clock, seconds of CPU time that all processes of the machine have used, and that this one and
    its children have used. Time that a hypervisor gave to other machines counts as used by others."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
    busy = sum(fields[:3]) + sum(fields[5:8])
    own = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic(), busy / os.sysconf("SC_CLK_TCK"), own.ru_utime + own.ru_stime + cpu_of_children()


def share_of_others(before):
    """The share of one core that other processes have used since `before`, a value of cpu_of_machine."""
    clock, busy, own = (after - earlier for after, earlier in zip(cpu_of_machine(), before))
    return max(0.0, busy - own) / max(clock, 0.01)


def adopt_orphans():
    """Makes this process the parent of processes whose parent ends, so that their CPU time can be read."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
