#!/usr/bin/env python3
"""The picker on a library of 1,000,000 assets, in Debian's chromium: picker.py FOLDER-OF-THE-PROGRAMS.

The library is the catalog of generate-catalog.sh, whose files do not exist, and 2,000 real photos that are newer than all
others: the first screens show those. All thumbnails of the real photos are made before anything is measured. Measured are

- from the end of the page's HTML until the first thumbnail is on the screen, and until the whole screen has them, in new
  sessions, whose addresses the browser's cache does not have;
- a cached thumbnail while 50 sessions request thumbnails one after the other, each on one connection;
- the nodes of the document and the memory of the server while the timeline is dragged from the newest month to the oldest.

`run` calls it if BENCH_FULL is set. It needs chromium, chromedriver, ffmpeg and exiftool, which `.ci/setup all` installs.
"""
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

sys.dont_write_bytecode = True

from listing import million
from measuring import PROGRAMS, WORK, begin, figure, fresh, remove, run, SHOEBOX

PHOTOS = 2000
SESSIONS = 50
REQUESTS = 100  # of each session
ROUNDS = 7
SIDE = 256  # what the page asks for in a window of 1280 pixels


def photos(folder):
    """Real photos of one month that is later than the others."""
    folder.mkdir(parents=True)
    source = "testsrc2=size=640x480:rate=25,noise=alls=20:allf=t"
    make = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", str(PHOTOS), "-q:v", "4"]
    subprocess.run([*make, str(folder / "IMG_%04d.JPG")], check=True)
    tag = ["exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=2026:06:01 10:15:00"]
    subprocess.run([*tag, str(folder)], check=True)


def library(path):
    remove(path)
    shutil.copyfile(million(), path)
    run([SHOEBOX, "scan", str(fresh(WORK / "picker-photos", photos))], path)


class Server:
    """`shoebox-picker serve`."""

    def __init__(self, catalog):
        command = [PROGRAMS / "shoebox-picker", "serve", "--catalog", catalog, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = [self.process.stdout.readline() for _ in range(2)]
        self.token = Path(lines[0].split(": ")[1].strip()).read_text().strip()
        self.base = lines[1].split(": ")[1].strip()
        self.host = urlsplit(self.base).netloc

    def session(self):
        """A new session as the host API describes it."""
        connection = http.client.HTTPConnection(self.host)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/sessions", '{"pickingConfig":{"selectionLimit":0}}', headers)
        return json.load(connection.getresponse())

    def peak(self):
        """MB of the server's process, without its workers."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Person:
    """A browser's connection to one session, without a browser."""

    def __init__(self, server):
        session = server.session()
        self.path = f"/s/{session['id']}/api/"
        self.connection = http.client.HTTPConnection(server.host)
        self.connection.request("GET", urlsplit(session["pickerUri"]).path)
        answer = self.connection.getresponse()
        answer.read()
        cookie = next(iter(SimpleCookie(answer.headers["Set-Cookie"]).values()))
        self.headers = {"Cookie": f"{cookie.key}={cookie.value}"}

    def get(self, path):
        self.connection.request("GET", self.path + path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {body[:200]}")
        return body

    def items(self):
        """The real photos."""
        found = []
        while len(found) < PHOTOS:
            found += json.loads(self.get(f"items?offset={len(found)}&limit=500"))["items"]
        return found[:PHOTOS]

    def thumbnail(self, item):
        return self.get(f"thumbnails/{item['id']}?side={SIDE}&v={item['revision']}")


class Browser:
    """chromium without a window, by the WebDriver protocol."""

    def __init__(self, folder, port):
        self.port = port
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"binary": "/usr/bin/chromium", "args": [*arguments, f"--user-data-dir={folder}"]}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "timeouts": {"script": 600_000}}
        self.path = "/session"
        self.path += "/" + self.post("", capabilities={"alwaysMatch": capabilities})["sessionId"]

    def post(self, path, **body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("POST", self.path + path, json.dumps(body), {"Content-Type": "application/json"})
        value = json.load(connection.getresponse())["value"]
        if isinstance(value, dict) and "error" in value:
            sys.exit(f"chromedriver: {value['message']}")
        return value

    def load(self, address):
        self.post("/url", url=address)

    def run(self, script):
        return self.post("/execute/sync", script=script, args=[])

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)


@contextmanager
def browser():
    with tempfile.TemporaryDirectory() as folder:
        driver = subprocess.Popen(
            ["/usr/bin/chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": folder}
        )
        line = ""
        while "started successfully on port " not in line:
            line = driver.stdout.readline()
        chromium = Browser(Path(folder) / "profile", int(line.split("port ")[1].rstrip(".\n")))
        try:
            yield chromium
        finally:
            connection = http.client.HTTPConnection("127.0.0.1", chromium.port)
            connection.request("DELETE", chromium.path)
            connection.getresponse().read()
            driver.terminate()
            driver.wait()


# Runs before the page's own script: notes the frames in which thumbnails are first on the screen.
WATCH = """
window.seen = {};
const look = () => {
  const grid = document.getElementById('grid')?.getBoundingClientRect();
  const tiles = [...document.querySelectorAll('[role=option]')].filter((tile) => {
    const {top, bottom} = tile.getBoundingClientRect();
    return bottom > grid.top && top < grid.bottom;
  });
  const shown = tiles.filter((tile) => tile.querySelector('img')?.naturalWidth > 0).length;
  if (shown > 0) window.seen.first ??= performance.now();
  if (shown > 0 && shown === tiles.length) window.seen.all ??= performance.now();
  if (!window.seen.all) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def appearance(server, chromium):
    """Milliseconds from the end of the HTML until the first thumbnail, and until all of the screen."""
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    rounds = []
    for _ in range(ROUNDS):
        chromium.load(server.session()["pickerUri"])
        for _ in range(1200):
            time.sleep(0.05)
            seen = chromium.run("return window.seen")
            if seen and "all" in seen:
                break
        else:
            sys.exit("the page did not show its thumbnails within a minute")
        page = chromium.run("return performance.getEntriesByType('navigation')[0].responseEnd")
        rounds.append((seen["first"] - page, seen["all"] - page))
    rounds = rounds[1:]  # The first one also starts the browser's processes.
    for what, times in zip(("first thumbnail", "whole screen of thumbnails"), zip(*rounds)):
        figure(f"{what} after the page", list(times), "ms")


def crowd(server, items):
    """Milliseconds of each thumbnail while many sessions request them."""
    people = [Person(server) for _ in range(SESSIONS)]
    times, lock = [], threading.Lock()

    def browse(number, person):
        own = []
        for step in range(REQUESTS):
            begun = time.perf_counter()
            person.thumbnail(items[(number * 37 + step) % len(items)])
            own.append((time.perf_counter() - begun) * 1000)
        with lock:
            times.extend(own)

    threads = [threading.Thread(target=browse, args=each) for each in enumerate(people)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    times.sort()
    p50, p95 = (times[int(len(times) * part)] for part in (0.5, 0.95))
    figure(f"a cached thumbnail, {SESSIONS} sessions at once, p50", p50, "ms")
    figure(f"a cached thumbnail, {SESSIONS} sessions at once, p95", p95, "ms")
    figure("the same, all sessions together", len(times) / seconds, "thumbnails/s")


DRAG = """
return (async () => {
  const scrubber = document.getElementById('scrubber');
  const box = scrubber.getBoundingClientRect();
  const send = (type, y, buttons) => scrubber.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerId: 1, pointerType: 'mouse', clientX: box.left + 8, clientY: y, button: type === 'pointermove' ? -1 : 0, buttons,
  }));
  scrubber.setPointerCapture = () => {};
  const steps = 400;
  let nodes = 0;
  send('pointerdown', box.top, 1);
  for (let step = 0; step <= steps; step += 1) {
    send('pointermove', box.top + box.height * step / steps, 1);
    await new Promise((resolve) => setTimeout(resolve, 75));
    nodes = Math.max(nodes, document.querySelectorAll('*').length);
  }
  send('pointerup', box.bottom, 0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const last = [...document.querySelectorAll('[role=option]')].pop();
  return {nodes, last: Number(last.ariaPosInSet), count: Number(last.ariaSetSize)};
})()
"""


def picker():
    begin("The picker on 1,000,000 assets and 2,000 photos")
    catalog = fresh(WORK / "picker.sqlite", library)
    for rest in Path(f"{catalog}.picker").parent.glob(f"{catalog.name}.picker*"):
        rest.unlink()
    server = Server(catalog)
    try:
        person = Person(server)
        begun = time.perf_counter()
        items = person.items()
        for item in items:
            person.thumbnail(item)
        figure(f"{PHOTOS:,} thumbnails, one after the other, made if need be", time.perf_counter() - begun, "s")
        for when in ("first", "again"):
            begun = time.perf_counter()
            count = json.loads(person.get("library"))["count"]
            figure(f"months of {count:,} assets, {when}", (time.perf_counter() - begun) * 1000, "ms")
        with browser() as chromium:
            appearance(server, chromium)
            crowd(server, items)
            figure("peak memory of the server until then", server.peak(), "MB")
            dragged = chromium.run(DRAG)
            if dragged["last"] < dragged["count"]:
                sys.exit(f"the timeline ended at {dragged['last']:,} of {dragged['count']:,}")
            figure("nodes of the document while the timeline is dragged through all, at most", dragged["nodes"], "nodes")
            figure("peak memory of the server after it", server.peak(), "MB")
    finally:
        server.stop()


if __name__ == "__main__":
    WORK.mkdir(exist_ok=True)
    picker()
