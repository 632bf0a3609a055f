-- A plausible library of :count assets, as if it had been scanned. Run by generate-catalog.sh, after
-- the schema. Everything follows from the asset's number n, so two runs give the same catalog:
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

INSERT INTO folder_search (rowid, path) SELECT id, path FROM folders;

INSERT INTO files (id, folder_id, family, name, size, modified, changed, inode, digest, reader_version, kind, error,
  fingerprint, missing_since)
SELECT id, 1000 + leaf, n * 7919, name, size, seconds * 1000000000, seconds * 1000000000, 100000 + id,
  n * 7919 * 1000003 * 1009, 1, 'media',
  CASE status WHEN 'unreadable' THEN 'the file is cut off' END, CAST(printf('%016d', n) AS BLOB),
  CASE status WHEN 'missing' THEN 1 END
FROM items
UNION ALL
SELECT id + 1, 1000 + leaf, n * 7919, replace(name, '.HEIC', '.MOV'), 3000000 + c, seconds * 1000000000,
  seconds * 1000000000, 100001 + id, n * 7927 * 1000003 * 1009, 1, 'media', NULL, CAST(printf('c%015d', n) AS BLOB),
  CASE status WHEN 'missing' THEN 1 END
FROM items WHERE is_live ORDER BY 1;

CREATE TEMP TABLE rows_of_assets AS
SELECT id, NULL AS absorbed_by, status, is_video, subtypes,
  CASE WHEN is_video THEN 'com.apple.quicktime-movie' WHEN is_screenshot THEN 'public.png'
    WHEN is_live THEN 'public.heic' ELSE 'public.jpeg' END AS uniform_type, name, size, wall,
  items.a, items.b, items.c, items.n, is_live, is_screenshot, is_video OR is_live AS has_clip
FROM items
UNION ALL
SELECT id + 1, id, status, 1, 0, 'com.apple.quicktime-movie',
  replace(name, '.HEIC', '.MOV'), 3000000 + c, wall, a, b, c, n, 0, 0, 1
FROM items WHERE is_live ORDER BY 1;

INSERT INTO origins (uniform_type, make, model, lens, software, video_codec, audio_codec, dynamic_range)
SELECT DISTINCT uniform_type, make, model, lens, CASE WHEN make = 'Apple' THEN '15.2.1' END,
  CASE WHEN has_clip THEN 'hevc' END, CASE WHEN has_clip THEN 'aac' END, CASE WHEN has_clip THEN 'sdr' END
FROM rows_of_assets LEFT JOIN cameras ON number = iif(is_screenshot, NULL, b % 12);
INSERT INTO origin_search (rowid, camera)
SELECT id, ifnull(make, '') || char(10) || ifnull(model, '') || char(10) || ifnull(lens, '') FROM origins;
INSERT INTO capture_sources VALUES (1, 'exif:DateTimeOriginal+OffsetTimeOriginal');

INSERT INTO assets (id, identifier, revision, added_date, folder_id, origin_id, size, subtypes, is_video, is_missing,
  is_unreadable, absorbed_by, absorbed_as, absorbed_why, capture_wall, capture_offset, capture_source_id,
  pixel_width, pixel_height, orientation, duration, frame_rate, latitude, longitude, altitude, content_identifier,
  name)
SELECT r.id, CAST(substr(printf('%08d%06d%06d', n, a, b), 1, 12) || printf('%04d', r.id % 10000) AS BLOB), 1,
  1700000000000 + n, 1000 + n / 200, o.id, size, subtypes, is_video, status = 'missing', status = 'unreadable',
  absorbed_by, CASE WHEN absorbed_by IS NOT NULL THEN 'pairedVideo' END,
  CASE WHEN absorbed_by IS NOT NULL THEN 'contentIdentifier' END, wall, CASE WHEN wall IS NOT NULL THEN 60 END,
  CASE WHEN wall IS NOT NULL THEN 1 END, iif(is_screenshot, 1170, 4032), iif(is_screenshot, 2532, 3024),
  iif(is_screenshot, NULL, 1 + c % 2 * 5), CASE WHEN has_clip THEN 1.5 + b % 9000 / 100.0 END,
  CASE WHEN has_clip THEN 29.97 END, CASE WHEN c % 2 THEN 47.0 + b / 1000000.0 END,
  CASE WHEN c % 2 THEN 8.0 + c / 1000000.0 END, CASE WHEN c % 2 THEN 400.0 + c % 100 END,
  CASE WHEN is_live OR absorbed_by IS NOT NULL THEN CAST(printf('%016d', n) AS BLOB) END, name
FROM rows_of_assets AS r LEFT JOIN cameras AS m ON number = iif(is_screenshot, NULL, b % 12)
JOIN origins AS o ON o.uniform_type = r.uniform_type AND o.make IS m.make AND o.model IS m.model
  AND o.lens IS m.lens AND (o.video_codec IS NOT NULL) = has_clip
ORDER BY r.id;

INSERT INTO asset_details (asset_id, exposure_time, f_number, iso, focal_length, focal_length_35mm)
SELECT id, 1.0 / (30 + c % 1000), 1.5 + c % 4, 50 + c % 800, 5.7, 26 FROM rows_of_assets
WHERE NOT is_video AND NOT is_screenshot ORDER BY id;

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

INSERT INTO scans (started, finished, milliseconds, outcome, scanned, added, unreadable, pairs, roots)
SELECT 1700000000000, 1700000600000, 600000, 'finished', count(*), count(*) - sum(status = 'unreadable'),
  sum(status = 'unreadable'), sum(is_live), '/benchmark/library' FROM items;
INSERT INTO failures (scan_id, path, error)
SELECT 1, '/benchmark/library/' || name, 'the file is cut off' FROM items WHERE status = 'unreadable'
LIMIT 1000;

INSERT INTO asset_search (rowid, name, title, caption, keywords)
SELECT id, name, title, caption,
  (SELECT group_concat(keyword, char(10)) FROM keywords WHERE asset_id = assets.id) FROM assets ORDER BY id;
DELETE FROM search_changes;
UPDATE search_progress SET last_asset_id = (SELECT max(id) FROM assets);
UPDATE changes SET revision = 1;

COMMIT;
PRAGMA journal_mode = WAL;
