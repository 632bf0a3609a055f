"""Starting and listing: whole processes on a catalog of a million assets."""
import subprocess

from measuring import HERE, SHOEBOX, WORK, begin, compare, cost, figure, fresh, quick, run

ASSETS = 1_000_000
# Every type word, every flag, and expressions: what a first page is asked for.
TYPE_WORDS = (
    "images videos livePhotos motionPhotos screenshots screenRecordings bursts panoramas depthEffectPhotos"
    " cinematicVideos slomoVideos timelapseVideos spatialMedia hdr raw edited duplicates"
).split()
FLAGS = [
    ["--not-type", "screenshots"], ["--since", "2015"], ["--until", "2010-06"],
    ["--under", "/benchmark/library/2012"], ["--name", "IMG_00*"], ["--camera", "canon"],
    ["--lens", "nikkor"], ["--near", "47.4,8.5,5"], ["--has-location"], ["--no-location"],
    ["--min-size", "4MB"], ["--max-size", "1MB"], ["--min-duration", "30s"], ["--max-duration", "5s"],
    ["--search", "img_0042"], ["--search", "holiday canon"],
    ["--search", "img"], ["--search", "2012"], ["--missing"], ["--sort", "name"],
    ["--sort", "size"], ["--sort", "duration"], ["--sort", "addedDate", "--reverse"],
    # Values that nothing or little has, orders against what is asked for, pages far behind.
    ["--camera", "fujifilm x100"], ["--lens", "zzz"], ["--name", "ZZZ*"], ["--name", "IMG_0042.HEIC"],
    ["--near", "47.4,8.5,0.1"], ["--near", "-70,0,5"], ["--since", "2024-12-30", "--sort", "name"],
    ["--type", "livePhotos", "--sort", "size"], ["--type", "images", "--sort", "duration"],
    ["--type", "screenshots", "--sort", "addedDate"], ["--type", "livePhotos", "--min-size", "30MB"],
    ["--under", "/benchmark/library/2012/Event 01900", "--search", "img"],
    ["--search", "img", "--search", "2012"], ["--offset", "100000"],
]
EXPRESSIONS = [
    "all(images, not(screenshots))", "any(livePhotos, videos) and year = 2015 and camera ~ 'iphone'",
    "size > 4MB and iso < 200", "duration < 3s", "captureDate in 2013-05..2013-08", "hdr and year in 2008..2012",
    "near(47.36, 8.54, 15km)", "keyword = holiday", "keyword = family and livePhotos", "has(location) and raw or hdr",
    "under '2012' and videos", "duplicates and images", "lens like '*F1.8*' and aperture <= 2.5",
    "month in 6..8 and screenshots", "not images and size > 100MB", "width < 2000 and not has(lens)",
    "search('holiday nikon') and not hdr", "panoramas or bursts and focalLength = 5.7mm",
    "exposureTime < 1/500 and make = sony", "missing and videos",
    "rating = 5", "has(title)", "keyword = zzz", "codec = av1", "type = public.avif", "software ~ windows",
    "name = 'img_0042.heic'", "year = 2003", "captureDate = 2012-05-05 and hdr", "images and size > 30MB",
    "under '2012' or under '2013'", "cinematicVideos or timelapseVideos", "search('img') and rating = 5",
    "not images and not videos", "latitude < -60 or camera = x100",
]


PAGE = ["--limit", "100"]
# The same first page of screenshots as `shoebox list --type screenshots` reads it.
STATEMENT = (
    "SELECT a.*, f.name, d.path, r.path FROM facets k CROSS JOIN assets a ON a.id = k.asset_id"
    " CROSS JOIN files f ON f.id = a.id CROSS JOIN folders d ON d.id = f.folder_id"
    " CROSS JOIN roots r ON r.id = d.root_id WHERE k.facet = 4"
    " ORDER BY k.capture_wall DESC, k.asset_id DESC LIMIT 100"
)


def million():
    return fresh(
        WORK / "million.sqlite",
        lambda path: subprocess.run([HERE / "generate-catalog.sh", path, str(ASSETS)], check=True),
    )


def slowest(what, commands, catalog):
    """The slowest of some commands, each by the median of five runs."""
    times = {" ".join(command): spread_of(command, catalog) for command in commands}
    worst = max(times, key=lambda command: sorted(times[command])[2])
    figure(f"slowest {what} of {len(commands)}: `{worst}`", times[worst], "ms")


def spread_of(command, catalog):
    return quick([SHOEBOX, *command], catalog, 5)


def listing():
    begin(f"Starting, and listing a catalog of {ASSETS:,} assets")
    catalog = million()
    figure("`true`: the start of any program", quick(["true"]), "ms")
    figure("`shoebox --version`", quick([SHOEBOX, "--version"]), "ms")
    compare(
        "first page of 100 screenshots", "sqlite3",
        lambda: cost([SHOEBOX, "list", "--type", "screenshots", *PAGE], catalog),
        lambda: cost(["sqlite3", "-readonly", catalog, STATEMENT]), rounds=51,
    )
    slowest("first page of a type", [["list", "--type", word, *PAGE] for word in TYPE_WORDS], catalog)
    slowest("first page of a flag", [["list", *flags, *PAGE] for flags in FLAGS], catalog)
    slowest("first page of an expression", [["list", "--where", text, *PAGE] for text in EXPRESSIONS], catalog)
    slowest("count of a type", [["list", "--count", "--type", word] for word in TYPE_WORDS], catalog)
    count = int(subprocess.check_output([SHOEBOX, "list", "--count", "--catalog", catalog]))
    for form in ("paths", "jsonl"):
        rounds = [run([SHOEBOX, "list", "--format", form], catalog) for _ in range(3)]
        figure(f"all assets as {form}", [count / seconds for seconds, _ in rounds], "assets/s")
        figure(f"peak memory of shoebox, all assets as {form}", [peak for _, peak in rounds], "MB")
