"""What figures depend on: the machine, the commit, the versions of all programs, and how quiet the machine is."""
import os
import platform
import re
import subprocess
import time
from pathlib import Path

from measuring import HERE, SHOEBOX, WORK
from samples import tool_versions

QUIET_LOAD = 0.5  # of the last minute, before anything is measured
QUIET_SHARE = 0.05  # of one core that other processes may use during a measurement


def text(path, default="unknown"):
    try:
        return Path(path).read_text().strip()
    except OSError:
        return default


def output(*command):
    """The output of a command; `unknown` if it is not installed or fails."""
    try:
        done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    except OSError:
        return "unknown"
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def choose_cores(wanted):
    """Restricts this program and all that it starts to a number of cores, of different physical ones if possible.
    The ratios of parallel work then depend less on the machine. Returns the cores."""
    available = sorted(os.sched_getaffinity(0))
    firsts, others, seen = [], [], set()
    for core in available:
        siblings = text(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list", str(core))
        (others if siblings in seen else firsts).append(core)
        seen.add(siblings)
    chosen = sorted((firsts + others)[:wanted])
    os.sched_setaffinity(0, chosen)
    return chosen


def description(cores):
    """The machine, the commit and the versions, as keys and texts."""
    system = dict(re.findall(r'^(\w+)="?([^"\n]*)', text("/etc/os-release"), re.MULTILINE))
    model = re.search(r"model name\s*: (.*)", text("/proc/cpuinfo"))
    memory = re.search(r"MemTotal:\s*(\d+)", text("/proc/meminfo"))
    dirty = output("git", "-C", HERE, "status", "--porcelain", "--untracked-files=no")
    return {
        "date": time.strftime("%Y-%m-%d %H:%M %z"),
        "commit": output("git", "-C", HERE, "rev-parse", "HEAD") + (" and local changes" if dirty not in ("", "unknown") else ""),
        "shoebox": output(SHOEBOX, "--version").removeprefix("shoebox "),
        "cpu": model[1] if model else platform.machine(),
        "architecture": platform.machine(),
        "cores": f"{len(cores)} of {os.cpu_count()}",
        "governor": text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "virtual machine": output("systemd-detect-virt", "--vm"),
        "memory": f"{int(memory[1]) / 1e6:.0f} GB" if memory else "unknown",
        "file system": output("stat", "-f", "-c", "%T", WORK),
        "system": system.get("PRETTY_NAME", "unknown"),
        "kernel": platform.release(),
    }


def peers():
    """The versions of the programs that Shoebox is compared with, and of the libraries that it uses."""
    commands = {
        "heif-dec": ("heif-dec", "--version"), "vips": ("vips", "--version"), "sqlite3": ("sqlite3", "--version"),
        "find": ("find", "--version"), "cp": ("cp", "--version"),
    }
    found = {name: version for name, version in tool_versions().items()}
    for name, command in commands.items():
        match = re.search(r"\d+\.\d[\w.]*", output(*command))
        found[name] = match[0] if match else "not found"
    for library in ("libavcodec", "libheif", "libturbojpeg", "sqlite3"):
        found[f"{library} (library)"] = output("pkg-config", "--modversion", library)
    return found


def load():
    return os.getloadavg()[0]
