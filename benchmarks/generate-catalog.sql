-- A plausible library of :count assets, as if it had been scanned. Run by generate-catalog.sh, after
-- the migrations. Everything follows from the asset's number n, so two runs give the same catalog:
-- `a`, `b` and `c` are numbers scrambled out of n, each 0...999999.
--
-- 8 % videos, 10 % live photos (each with an absorbed clip), 2 % screenshots, 200 files a folder,
-- twenty years, twelve cameras, 1 % without capture time, 0.5 % missing, 0.1 % unreadable.

PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -1000000;
BEGIN;

CREATE TEMP TABLE items AS
WITH RECURSIVE
  numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :count),
  scrambled AS (
    SELECT n, (n * 2654435761 % 4294967296) / 4295 AS a, (n * 2246822519 % 4294967296) / 4295 AS b,
      (n * 3266489917 % 4294967296) / 4295 AS c FROM numbers),
  kinds AS (
    SELECT *, a < 80000 AS is_video, a BETWEEN 80000 AND 179999 AS is_live,
      a BETWEEN 180000 AND 199999 AS is_screenshot, n / 200 AS leaf,
      -- Twenty years from 2005, with a jitter of three weeks against the order of the folders.
      1104537600 + n * (631152000 / :count) + c * 2 - 1000000 AS seconds
    FROM scrambled)
SELECT *,
  2 * n + 1 AS id,
  CASE WHEN b < 10000 THEN NULL ELSE seconds * 1000 + c % 1000 END AS wall,
  CASE WHEN b BETWEEN 10000 AND 14999 THEN 'missing' WHEN b BETWEEN 15000 AND 15999 THEN 'unreadable'
    ELSE 'present' END AS status,
  printf('%s_%04d.%s', CASE WHEN is_screenshot THEN 'Screenshot' ELSE 'IMG' END, n % 10000,
    CASE WHEN is_video THEN 'MOV' WHEN is_screenshot THEN 'PNG' WHEN is_live THEN 'HEIC'
      ELSE 'JPG' END) AS name,
  CASE WHEN is_video THEN 20000000 + c * 200 ELSE 900000 + c * 4 END AS size,
  is_live * 1 + is_screenshot * 4
    + (c % 1000 < 3) * 8 * is_video + (c % 1000 BETWEEN 10 AND 29) * 16 * (1 - is_video)
    + (c % 1000 BETWEEN 30 AND 34) * 32 * (1 - is_video)
    + (c % 1000 BETWEEN 40 AND 59) * 64 * is_live + (c % 1000 BETWEEN 60 AND 62) * 128 * is_video
    + (c % 1000 BETWEEN 70 AND 79) * 256 * is_video + (c % 1000 BETWEEN 80 AND 83) * 512 * is_video
    + (c % 1000 = 90) * 1024 + (c % 1000 BETWEEN 100 AND 199) * 2048 * is_live
    + (c % 1000 BETWEEN 300 AND 319) * 8192 * (1 - is_video) AS subtypes
FROM kinds;

CREATE TEMP TABLE cameras (number INTEGER PRIMARY KEY, make, model, lens);
INSERT INTO cameras VALUES
  (0, 'Apple', 'iPhone 13 Pro Max', 'iPhone 13 Pro Max back triple camera 5.7mm f/1.5'),
  (1, 'Apple', 'iPhone 15', 'iPhone 15 back dual wide camera 5.96mm f/1.6'),
  (2, 'Apple', 'iPhone SE', NULL), (3, 'Google', 'Pixel 7', NULL), (4, 'samsung', 'SM-G991B', NULL),
  (5, 'Canon', 'Canon EOS R5', 'RF24-105mm F4 L IS USM'), (6, 'NIKON CORPORATION', 'NIKON Z 6', 'NIKKOR Z 24-70mm f/4 S'),
  (7, 'SONY', 'ILCE-7M3', 'FE 35mm F1.8'), (8, 'FUJIFILM', 'X-T30', 'XF23mmF2 R WR'),
  (9, 'OLYMPUS CORPORATION', 'E-M10MarkII', NULL), (10, 'Panasonic', 'DMC-LX100', NULL),
  (11, 'Xiaomi', 'Mi 9T', NULL);

INSERT INTO roots VALUES (1, '/benchmark/library', 1700000000000, 1, 2);
INSERT INTO folders (id, root_id, parent_id, path, name) VALUES (1, 1, NULL, '', '');
INSERT INTO folders (id, root_id, parent_id, path, name, digest, media_count)
WITH years AS (SELECT DISTINCT leaf / (1 + :count / 4000) AS year FROM items)
SELECT 2 + year, 1, 1, CAST(2005 + year AS TEXT), CAST(2005 + year AS TEXT), 1, 0 FROM years;
INSERT INTO folders (id, root_id, parent_id, path, name, digest, media_count)
SELECT 1000 + leaf, 1, 2 + leaf / (1 + :count / 4000),
  printf('%d/Event %05d', 2005 + leaf / (1 + :count / 4000), leaf), printf('Event %05d', leaf),
  leaf * 7919, count(*) FROM items GROUP BY leaf;

INSERT INTO files (id, folder_id, name, size, modified, inode, kind, status, error, fingerprint)
SELECT id, 1000 + leaf, name, size, seconds * 1000000000, 100000 + id, 'media', status,
  CASE status WHEN 'unreadable' THEN 'the file is cut off' END, CAST(printf('%016d', n) AS BLOB)
FROM items
UNION ALL
SELECT id + 1, 1000 + leaf, replace(name, '.HEIC', '.MOV'), 3000000 + c, seconds * 1000000000,
  100001 + id, 'media', status, NULL, CAST(printf('c%015d', n) AS BLOB)
FROM items WHERE is_live ORDER BY 1;

CREATE TEMP TABLE rows_of_assets AS
SELECT id, identifier, id AS file_id, NULL AS absorbed_by, status, is_video, subtypes,
  CASE WHEN is_video THEN 'com.apple.quicktime-movie' WHEN is_screenshot THEN 'public.png'
    WHEN is_live THEN 'public.heic' ELSE 'public.jpeg' END AS uniform_type, name, size, wall,
  items.a, items.b, items.c, items.n, is_live, is_screenshot
FROM (SELECT *, printf('%08X-%04X-4%03X-8%03X-%012X', n * 2654435761 % 4294967296, a % 65536, b % 4096,
  c % 4096, id) AS identifier FROM items) AS items
UNION ALL
SELECT id + 1, printf('%08X-%04X-4%03X-8%03X-%012X', n * 3266489917 % 4294967296, b % 65536, a % 4096,
  c % 4096, id + 1), id + 1, id, status, 1, 0, 'com.apple.quicktime-movie',
  replace(name, '.HEIC', '.MOV'), 3000000 + c, wall, a, b, c, n, 0, 0
FROM items WHERE is_live ORDER BY 1;

INSERT INTO assets (id, identifier, file_id, absorbed_by, status, media_type, subtypes, uniform_type,
  name, size, added_date, pixel_width, pixel_height, orientation, duration, capture_wall, capture_utc,
  capture_offset, capture_date, capture_source, latitude, longitude, altitude, make, model, lens,
  software, exposure_time, f_number, iso, focal_length, focal_length_35mm, video_codec, frame_rate,
  dynamic_range, audio_codec, content_identifier, file_folder_id)
SELECT id, identifier, file_id, absorbed_by, status, iif(is_video, 'video', 'image'), subtypes,
  uniform_type, name, size, 1700000000000 + n, iif(is_screenshot, 1170, 4032), iif(is_screenshot, 2532, 3024),
  iif(is_screenshot, NULL, 1 + c % 2 * 5), CASE WHEN is_video THEN 1.5 + b % 9000 / 100.0 END, wall,
  wall - 3600000, CASE WHEN wall IS NOT NULL THEN 60 END,
  strftime('%Y-%m-%dT%H:%M:%S', wall / 1000, 'unixepoch') || printf('.%03d+01:00', wall % 1000),
  CASE WHEN wall IS NOT NULL THEN 'exif:DateTimeOriginal+OffsetTimeOriginal' END,
  CASE WHEN c % 2 THEN 47.0 + b / 1000000.0 END, CASE WHEN c % 2 THEN 8.0 + c / 1000000.0 END,
  CASE WHEN c % 2 THEN 400.0 + c % 100 END, make, model, lens, CASE WHEN make = 'Apple' THEN '15.2.1' END,
  CASE WHEN NOT is_video AND NOT is_screenshot THEN 1.0 / (30 + c % 1000) END,
  CASE WHEN NOT is_video AND NOT is_screenshot THEN 1.5 + c % 4 END,
  CASE WHEN NOT is_video AND NOT is_screenshot THEN 50 + c % 800 END,
  CASE WHEN NOT is_video AND NOT is_screenshot THEN 5.7 END,
  CASE WHEN NOT is_video AND NOT is_screenshot THEN 26 END,
  CASE WHEN is_video THEN 'hevc' END, CASE WHEN is_video THEN 29.97 END,
  CASE WHEN is_video THEN 'sdr' END, CASE WHEN is_video THEN 'aac' END,
  CASE WHEN is_live OR absorbed_by IS NOT NULL THEN printf('%016X-live', n) END,
  1000 + n / 200
FROM rows_of_assets LEFT JOIN cameras ON number = iif(is_screenshot, NULL, b % 12);

INSERT INTO resources
SELECT id, iif(is_video, 'video', 'photo'), file_id, uniform_type, NULL, NULL FROM rows_of_assets
UNION ALL
SELECT absorbed_by, 'pairedVideo', file_id, uniform_type, NULL, NULL FROM rows_of_assets
WHERE absorbed_by IS NOT NULL ORDER BY 1, 2, 3;

INSERT INTO keywords SELECT id, 'holiday' FROM items WHERE c % 10 = 0;
INSERT INTO keywords SELECT id, 'family' FROM items WHERE c % 20 = 0;

-- A few that have exact copies, as far as listings can tell.
UPDATE assets SET is_duplicate = 1 WHERE id % 400 = 1;
UPDATE files SET content_digest = CAST(printf('%032d', id / 800) AS BLOB) WHERE id % 400 = 1;

INSERT INTO labels
SELECT id, 'livePhoto', 1, 100, 'contentIdentifier' FROM items WHERE is_live
UNION ALL SELECT id, 'screenshot', 1, 70, 'name' || char(10) || 'screenSize:1170x2532' || char(10) || 'png'
FROM items WHERE is_screenshot
UNION ALL SELECT id, 'hdr', 1, NULL, 'gainMap' FROM items WHERE subtypes & 2048 <> 0
UNION ALL SELECT id, 'screenshot', 0, 20, 'looseName' FROM items WHERE c % 1000 = 400 AND NOT is_screenshot
ORDER BY 1, 2;

INSERT INTO scans (started, finished, outcome, scanned, added, unreadable, pairs, roots)
SELECT 1700000000000, 1700000600000, 'finished', count(*), count(*) - sum(status = 'unreadable'),
  sum(status = 'unreadable'), sum(is_live), '/benchmark/library' FROM items;
INSERT INTO failures (scan_id, path, error)
SELECT 1, '/benchmark/library/' || name, 'the file is cut off' FROM items WHERE status = 'unreadable'
LIMIT 1000;

INSERT INTO asset_search (rowid, name, folder, title, caption, keywords, camera)
SELECT * FROM search_texts ORDER BY asset_id;
DELETE FROM search_changes;

COMMIT;
PRAGMA journal_mode = WAL;
