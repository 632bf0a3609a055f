-- The catalog's schema. docs/catalog.md explains it to people who query it with sqlite3.
--
-- Times are integers: milliseconds since 1970 UTC, except files.modified and files.changed (nanoseconds since
-- 1970 UTC) and capture_wall (milliseconds since 1970-01-01T00:00:00 on the wall clock where the picture was
-- taken). Paths and names are TEXT if they are valid UTF-8, else BLOB. An identifier that is a UUID is stored as
-- its 16 bytes. Columns that are GENERATED take no space.

PRAGMA application_id = 0x53686278;     -- 'Shbx': this file is a catalog of Shoebox
PRAGMA user_version = 1;                -- the number of this schema

-- What users have decided. A scan cannot restore it.

CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  path NOT NULL UNIQUE,                 -- absolute, no symlinks, no trailing slash
  added_date INTEGER NOT NULL,
  device INTEGER NOT NULL,              -- st_dev and st_ino of the folder when last scanned
  inode INTEGER NOT NULL
);

-- The filters that `list --save NAME` keeps: the flags as they were given, a JSON array of texts.
CREATE TABLE saved_searches (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  arguments TEXT NOT NULL,
  saved_date INTEGER NOT NULL
) WITHOUT ROWID;

-- The user's albums. Titles differ in more than case and Unicode form. Which assets they have is in `album_assets`.
CREATE TABLE albums (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL UNIQUE,
  added_date INTEGER NOT NULL
);

-- Secrets of this catalog. The one named "export" is the key of the codes by which the catalog recognises, in the
-- record of an export's target, the lines that it has written itself (HMAC-SHA256, docs/export.md). SQLite's
-- generator is seeded by the system's.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
-- "identity" distinguishes this catalog from others, not from copies of it.
INSERT INTO secrets (name, value) VALUES ('export', randomblob(32)), ('identity', randomblob(16));

-- The catalogs that `shoebox catalog merge` has merged into this one, the state (see `changes`) in which it found
-- them, and their `scanned_part`. In the catalog of a shard that `shoebox catalog split` has written: the catalog that was
-- split.
CREATE TABLE merged_catalogs (
  identity BLOB PRIMARY KEY,
  state BLOB NOT NULL,
  number INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- The latest addition to its albums and saved searches then: what it still has of them, and this catalog has not, was
  -- removed here.
  latest_addition INTEGER NOT NULL,
  -- The last of `scans` then. Later ones are this catalog's own, until the next merge.
  last_scan INTEGER NOT NULL
) WITHOUT ROWID;

-- Which part of its library folders scans have read to the end: shard `number` of `count`, 1 of 1 for all of them, 0 of 0
-- if they have read different shards.
CREATE TABLE scanned_part (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  count INTEGER NOT NULL
);

-- What a scan finds. `scan --rebuild` finds all of it again, except for the identifiers of assets, the dates of adding
-- and files that are missing.

CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  root_id INTEGER NOT NULL REFERENCES roots(id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,  -- NULL for a root's own folder
  path NOT NULL,                        -- below the root, '' for the root's own folder
  name NOT NULL,                        -- the last component of path
  title TEXT,                           -- of the album that the folder is, by a Takeout's JSON file in it
  is_mount_point INTEGER NOT NULL DEFAULT 0,
  device INTEGER,                       -- st_dev when last scanned; NULL: the root's
  -- Identifies the listing that the last complete scan found: name, size, times and inode of every file. NULL:
  -- compare every file.
  digest INTEGER,
  media_count INTEGER NOT NULL DEFAULT 0,       -- the files in that digest
  unreadable_count INTEGER NOT NULL DEFAULT 0,
  sidecar_count INTEGER NOT NULL DEFAULT 0,
  ignored_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (root_id, path)
);
CREATE INDEX folders_by_parent ON folders(parent_id);
-- The folders with Ente's JSON files about the pictures in their parents.
CREATE INDEX folders_of_metadata ON folders(parent_id, name) WHERE name IN ('metadata', '.meta');
-- A folder that was renamed has the digest that it had before.
CREATE INDEX folders_by_digest ON folders(digest) WHERE digest IS NOT NULL;

CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused; the search index depends on it
  folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  family INTEGER NOT NULL,              -- equal for all files of a folder whose names may relate them
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,            -- st_mtime
  -- st_ctime. The smallest integer: the file was so young when the scan saw it that a later change may carry the
  -- same times; the next scan reads it again.
  changed INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  digest INTEGER,                       -- identifies name, size, times and inode; folders.digest is the sum
  -- The version of the program's reader for this type that has read the file. 0: the next scan reads it again.
  reader_version INTEGER NOT NULL DEFAULT 0,
  name NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('media', 'sidecar', 'other')),
  fingerprint BLOB,                     -- of the size and parts of the content
  content_digest BLOB,                  -- of all of it, if another file has the fingerprint
  declared_type TEXT,                   -- the uniform type of its extension, if the content has another
  error TEXT,                           -- why it could not be read, one sentence
  missing_since INTEGER,                -- the scan that found it gone
  status TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN missing_since IS NOT NULL THEN 'missing' WHEN error IS NOT NULL THEN 'unreadable'
      ELSE 'present' END) VIRTUAL,
  -- The state in which the file need not be read again.
  known_digest INTEGER GENERATED ALWAYS AS (
    iif(missing_since IS NULL AND reader_version <> 0, digest, NULL)) VIRTUAL
);
-- Also compares a folder that has changed with its rows: only those that differ are read.
CREATE INDEX files_by_family ON files(folder_id, family, known_digest);
CREATE INDEX missing_files ON files(folder_id, name, family) WHERE missing_since IS NOT NULL;
CREATE INDEX files_by_inode ON files(inode);
CREATE INDEX files_by_fingerprint ON files(fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX files_by_content_digest ON files(content_digest) WHERE content_digest IS NOT NULL;
CREATE INDEX files_missing ON files(missing_since) WHERE missing_since IS NOT NULL;

-- The content of files as `shoebox verify` has read it. A file without a row was never verified. A scan cannot restore
-- the digests: they are what the content was.
CREATE TABLE file_checks (
  file_id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  checked_date INTEGER NOT NULL,        -- of the last check
  outcome TEXT NOT NULL CHECK (outcome IN ('equal', 'rotted', 'unreadable')),
  -- The first of the checks in a row that had this outcome. If it is 'equal': when the user last accepted the content in the
  -- place of another one, or NULL.
  since INTEGER,
  error TEXT,                           -- what was found, one sentence
  digest BLOB,                          -- SHA-256 of the whole content; NULL if it could never be read
  -- The file when it had this content, as in `files`.
  size INTEGER,
  modified INTEGER,
  changed INTEGER,
  inode INTEGER
);
CREATE INDEX file_checks_failed ON file_checks(outcome) WHERE outcome <> 'equal';

-- The version of the reader for each uniform type with which this catalog was last scanned.
CREATE TABLE readers (
  uniform_type TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) WITHOUT ROWID;

-- What made an asset, and as what. There are few, however many assets there are: a condition on them is asked of
-- this table's rows, and assets_by_origin has the assets of each.
CREATE TABLE origins (
  id INTEGER PRIMARY KEY,
  uniform_type TEXT NOT NULL,
  make TEXT,
  model TEXT,
  lens TEXT,
  software TEXT,
  video_codec TEXT,
  audio_codec TEXT,
  dynamic_range TEXT
);
CREATE INDEX origins_by_values ON origins(uniform_type, model, lens, software);

-- The tags that capture times come from, such as 'exif:DateTimeOriginal+OffsetTimeOriginal'.
CREATE TABLE capture_sources (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- One picture or video: the facts of its file, which has the same id. A video that has become part of a live photo
-- keeps its row: absorbed_by refers to the still.
CREATE TABLE assets (
  id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  identifier BLOB NOT NULL,             -- a UUID, never reused
  revision INTEGER NOT NULL,            -- the change in which it was last written, see `changes`
  added_date INTEGER NOT NULL,
  folder_id INTEGER NOT NULL,           -- that of its file
  origin_id INTEGER NOT NULL REFERENCES origins(id),
  size INTEGER NOT NULL,
  subtypes INTEGER NOT NULL DEFAULT 0,  -- bits of MediaSubtypes
  is_video INTEGER NOT NULL,
  is_missing INTEGER NOT NULL DEFAULT 0,
  is_unreadable INTEGER NOT NULL DEFAULT 0,
  is_duplicate INTEGER NOT NULL DEFAULT 0,      -- another asset has exactly this content
  is_favorite INTEGER NOT NULL DEFAULT 0,
  is_spare INTEGER NOT NULL DEFAULT 0,  -- every file of it has a copy in an asset that is not spare
  absorbed_by INTEGER REFERENCES assets(id) ON DELETE SET NULL,
  absorbed_as TEXT,                     -- the type of resource it has become there
  absorbed_why TEXT,                    -- the evidence, as 'contentIdentifier'
  capture_wall INTEGER,
  capture_offset INTEGER,               -- minutes east of UTC
  capture_fraction TEXT,                -- the digits of the seconds' fraction, if capture_wall does not imply them
  capture_source_id INTEGER REFERENCES capture_sources(id),
  -- What the offset is inferred from, if no file has it: 'at this place', or a neighbour as '18 s after IMG_0001.JPG'.
  -- The source then ends with '+place' or '+neighbor'.
  capture_zone_evidence TEXT,
  pixel_width INTEGER,                  -- upright
  pixel_height INTEGER,
  orientation INTEGER,                  -- as stored, 1...8
  duration REAL,                        -- seconds
  frame_rate REAL,
  latitude REAL,
  longitude REAL,
  altitude REAL,
  rating INTEGER,
  content_identifier,                   -- Apple's, shared by a still and its clip: BLOB if it is a UUID, else TEXT
  burst_identifier,                     -- as above
  name TEXT NOT NULL COLLATE NOCASE,    -- the file's name, as text
  title TEXT,
  caption TEXT,
  label TEXT,                           -- the word of a color label, as 'Red'
  pick INTEGER,                         -- 1 picked, -1 rejected, 2 pending, 0 a mark that was taken back
  media_type TEXT NOT NULL GENERATED ALWAYS AS (iif(is_video, 'video', 'image')) VIRTUAL,
  status TEXT NOT NULL GENERATED ALWAYS AS (
    CASE WHEN is_missing THEN 'missing' WHEN is_unreadable THEN 'unreadable' ELSE 'present' END) VIRTUAL,
  is_listed INTEGER NOT NULL GENERATED ALWAYS AS (absorbed_by IS NULL AND NOT is_missing) VIRTUAL,
  capture_date TEXT GENERATED ALWAYS AS (  -- ISO 8601
    strftime('%Y-%m-%dT%H:%M:%S', (capture_wall - (capture_wall % 1000 + 1000) % 1000) / 1000, 'unixepoch')
    || CASE WHEN capture_fraction IS NOT NULL THEN '.' || capture_fraction
      WHEN capture_wall % 1000 <> 0 THEN printf('.%03d', (capture_wall % 1000 + 1000) % 1000) ELSE '' END
    || CASE WHEN capture_offset IS NULL THEN ''
      ELSE printf('%s%02d:%02d', iif(capture_offset < 0, '-', '+'), abs(capture_offset) / 60,
        abs(capture_offset) % 60) END) VIRTUAL,
  -- The bits by which `facets` lists the asset: MediaSubtypes' own below 1 << 16.
  facets INTEGER NOT NULL GENERATED ALWAYS AS (
    CASE WHEN absorbed_by IS NOT NULL THEN 0 WHEN is_missing THEN 1 << 16
      ELSE subtypes | (is_video << 17) | (is_duplicate << 18) | (is_spare << 19) | ((title IS NOT NULL) << 20)
        | ((caption IS NOT NULL) << 21) | ((rating IS NOT NULL) << 22)
        | (is_favorite << 23) END) VIRTUAL
);
-- The orders of listings; each has what the most frequent conditions ask for, so that rows that do not match are
-- not read.
CREATE INDEX assets_by_capture ON assets(capture_wall, id, subtypes, is_video) WHERE is_listed;
CREATE INDEX assets_by_name ON assets(name) WHERE is_listed;
CREATE INDEX assets_by_size ON assets(size, id, subtypes, is_video) WHERE is_listed;
CREATE INDEX assets_by_duration ON assets(duration, id, subtypes, is_video)
  WHERE is_listed AND duration IS NOT NULL;
CREATE INDEX assets_by_added ON assets(added_date) WHERE is_listed;
-- Listings of few assets.
CREATE INDEX assets_by_folder ON assets(folder_id, capture_wall, subtypes, is_video) WHERE is_listed;
CREATE INDEX assets_by_origin ON assets(origin_id, capture_wall) WHERE is_listed;
CREATE INDEX assets_by_place ON assets(latitude, longitude) WHERE is_listed AND latitude IS NOT NULL;
CREATE INDEX assets_by_label ON assets(label, capture_wall) WHERE is_listed AND label IS NOT NULL;
CREATE INDEX assets_by_pick ON assets(pick, capture_wall) WHERE is_listed AND pick <> 0;
CREATE UNIQUE INDEX assets_by_identifier ON assets(identifier);
-- What belongs together, and what has changed.
CREATE INDEX assets_by_content_identifier ON assets(content_identifier) WHERE content_identifier IS NOT NULL;
CREATE INDEX assets_by_burst ON assets(burst_identifier) WHERE burst_identifier IS NOT NULL;
CREATE INDEX assets_absorbed ON assets(absorbed_by) WHERE absorbed_by IS NOT NULL;
CREATE INDEX assets_by_revision ON assets(revision);

-- The part of an asset's facts that few questions ask for.
CREATE TABLE asset_details (
  asset_id INTEGER PRIMARY KEY REFERENCES assets(id) ON DELETE CASCADE,
  exposure_time REAL,
  f_number REAL,
  iso INTEGER,
  focal_length REAL,
  focal_length_35mm INTEGER,
  clip_offset INTEGER,                  -- a motion clip inside the file: its first byte and its bytes
  clip_length INTEGER,
  clip_evidence TEXT,
  clues TEXT,                           -- what recognition weighs, one 'key=value' a line
  warnings TEXT,                        -- what was wrong in the file, a sentence a line
  embedded_values TEXT                  -- JSON: the file's own values of columns that a sidecar has set
);

-- The listed assets of each kind, by time of capture, and the missing ones. Kept by the triggers below.
CREATE TABLE facets (
  facet INTEGER NOT NULL,               -- one bit of assets.facets
  capture_wall INTEGER NOT NULL,        -- the smallest integer if it is unknown
  asset_id INTEGER NOT NULL,
  subtypes INTEGER NOT NULL,
  is_video INTEGER NOT NULL,
  PRIMARY KEY (facet, capture_wall, asset_id)
) WITHOUT ROWID;
CREATE TABLE facet_bits (bit INTEGER PRIMARY KEY);
INSERT INTO facet_bits
WITH RECURSIVE bits(bit) AS (SELECT 1 UNION ALL SELECT bit << 1 FROM bits WHERE bit < 1 << 23)
SELECT bit FROM bits;

CREATE TRIGGER facets_added AFTER INSERT ON assets WHEN new.facets <> 0 BEGIN
  INSERT INTO facets
  SELECT bit, ifnull(new.capture_wall, -9223372036854775808), new.id, new.subtypes, new.is_video
  FROM facet_bits WHERE new.facets & bit;
END;
CREATE TRIGGER facets_changed AFTER UPDATE OF absorbed_by, is_missing, subtypes, is_video, is_duplicate, is_spare,
  title, caption, rating, is_favorite, capture_wall
ON assets WHEN new.facets <> old.facets
  OR new.facets <> 0 AND (new.capture_wall IS NOT old.capture_wall OR new.is_video <> old.is_video)
BEGIN
  DELETE FROM facets WHERE facet IN (SELECT bit FROM facet_bits WHERE old.facets & bit)
    AND capture_wall = ifnull(old.capture_wall, -9223372036854775808) AND asset_id = old.id;
  INSERT INTO facets
  SELECT bit, ifnull(new.capture_wall, -9223372036854775808), new.id, new.subtypes, new.is_video
  FROM facet_bits WHERE new.facets & bit;
END;
CREATE TRIGGER facets_removed AFTER DELETE ON assets WHEN old.facets <> 0 BEGIN
  DELETE FROM facets WHERE facet IN (SELECT bit FROM facet_bits WHERE old.facets & bit)
    AND capture_wall = ifnull(old.capture_wall, -9223372036854775808) AND asset_id = old.id;
END;

CREATE TABLE keywords (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  keyword TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (asset_id, keyword)
) WITHOUT ROWID;
CREATE INDEX keywords_by_keyword ON keywords(keyword);

-- Hierarchical keywords, as 'Places|Europe|Rome'. For each path there are rows for all that finds it, too: the paths above
-- it and the names of its levels.
CREATE TABLE keyword_paths (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  path TEXT NOT NULL COLLATE NOCASE,
  is_whole INTEGER NOT NULL,            -- whether the asset has this path
  PRIMARY KEY (asset_id, path)
) WITHOUT ROWID;
CREATE INDEX keyword_paths_by_path ON keyword_paths(path);

-- The people in a picture or video.
CREATE TABLE people (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (asset_id, name)
) WITHOUT ROWID;
CREATE INDEX people_by_name ON people(name);

-- The assets of the user's albums: what users have decided, like `albums`. Missing assets stay in their albums. An asset
-- and its resources are in the same albums, so that an album loses nothing when a scan pairs or separates files.
CREATE TABLE album_assets (
  album_id INTEGER NOT NULL REFERENCES albums(id) ON DELETE CASCADE,
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  added_date INTEGER NOT NULL,
  PRIMARY KEY (album_id, asset_id)
) WITHOUT ROWID;
CREATE INDEX album_assets_by_asset ON album_assets(asset_id);
-- An asset becomes a resource of another, perhaps with a resource of its own.
CREATE TRIGGER album_asset_absorbed AFTER UPDATE OF absorbed_by ON assets
WHEN new.absorbed_by IS NOT NULL AND new.absorbed_by IS NOT old.absorbed_by
  AND EXISTS (SELECT 1 FROM album_assets WHERE asset_id IN (new.id, new.absorbed_by))
BEGIN
  INSERT INTO album_assets SELECT known.album_id, part.id, min(known.added_date)
  FROM album_assets AS known CROSS JOIN (
    SELECT new.id AS id UNION SELECT new.absorbed_by UNION SELECT id FROM assets WHERE absorbed_by = new.id
    UNION SELECT absorbed_by FROM assets WHERE id = new.absorbed_by AND absorbed_by IS NOT NULL) AS part
  WHERE known.asset_id IN (new.id, new.absorbed_by) GROUP BY known.album_id, part.id ON CONFLICT DO NOTHING;
END;
-- An observer of changes sees an asset whose albums change. One that is not listed was reported as removed already. The
-- statement that renames an album writes the revisions itself, in batches.
CREATE TRIGGER album_asset_added AFTER INSERT ON album_assets BEGIN
  UPDATE assets SET revision = (SELECT revision + 1 FROM changes) WHERE id = new.asset_id AND is_listed;
END;
CREATE TRIGGER album_asset_removed AFTER DELETE ON album_assets BEGIN
  UPDATE assets SET revision = (SELECT revision + 1 FROM changes) WHERE id = old.asset_id AND is_listed;
END;

-- The content of a sidecar file.
CREATE TABLE sidecars (
  file_id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('adjustmentData', 'xmp', 'takeoutJSON', 'albumJSON')),
  capture_wall INTEGER,                 -- seconds on the wall clock
  capture_offset INTEGER,
  capture_fraction TEXT,                -- the digits behind the point
  capture_source TEXT,
  latitude REAL,
  longitude REAL,
  altitude REAL,
  title TEXT,
  caption TEXT,
  keywords TEXT,                        -- one a line
  rating INTEGER,
  orientation INTEGER,
  adjustment_format TEXT,               -- of an AAE: it distinguishes a slow motion from a trim
  described_name TEXT,                  -- the name of the file that a Takeout JSON describes
  people TEXT,                          -- one a line
  is_favorite INTEGER NOT NULL DEFAULT 0,
  label TEXT,
  pick INTEGER,
  keyword_paths TEXT,                   -- one a line
  adjustments TEXT,                     -- of an AAE: the enabled edits, a word a line
  crop_width INTEGER,                   -- of an AAE: of a crop from the first pixel, an edit if the picture is larger
  crop_height INTEGER
);

-- The titles of albums. Their JSON files come, move and go like any file.
CREATE TRIGGER album_added AFTER INSERT ON sidecars WHEN new.kind = 'albumJSON' BEGIN
  UPDATE folders SET title = new.title WHERE id = (SELECT folder_id FROM files WHERE id = new.file_id);
END;
CREATE TRIGGER album_removed AFTER DELETE ON sidecars WHEN old.kind = 'albumJSON' BEGIN
  UPDATE folders SET title = NULL WHERE id = (SELECT folder_id FROM files WHERE id = old.file_id);
END;
CREATE TRIGGER album_moved AFTER UPDATE OF folder_id, missing_since ON files
WHEN new.kind = 'sidecar' AND EXISTS (SELECT 1 FROM sidecars WHERE file_id = new.id AND kind = 'albumJSON') BEGIN
  UPDATE folders SET title = (
    SELECT sidecars.title FROM files CROSS JOIN sidecars ON file_id = files.id
    WHERE folder_id = folders.id AND missing_since IS NULL AND sidecars.kind = 'albumJSON' LIMIT 1)
  WHERE id IN (old.folder_id, new.folder_id);
END;
CREATE TRIGGER album_changed AFTER UPDATE OF title ON folders WHEN new.title IS NOT old.title BEGIN
  UPDATE assets SET revision = (SELECT revision + 1 FROM changes) WHERE folder_id = new.id;
END;

-- The sidecars that describe an asset.
CREATE TABLE asset_sidecars (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  file_id INTEGER NOT NULL REFERENCES sidecars(file_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,            -- the order in which their values apply
  PRIMARY KEY (asset_id, file_id)
) WITHOUT ROWID;
CREATE INDEX asset_sidecars_by_file ON asset_sidecars(file_id);

-- The kinds of an asset, and those it came close to, with the evidence.
CREATE TABLE labels (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  subtype TEXT NOT NULL,                -- the word of MediaSubtypes, as 'screenshot'
  is_given INTEGER NOT NULL,            -- 0 for a near miss
  score INTEGER,                        -- the sum of the weights, or how certain a pair is in per cent
  evidence TEXT NOT NULL,               -- a phrase a line
  PRIMARY KEY (asset_id, subtype)
) WITHOUT ROWID;

-- What a change has left to settle. Empty after a complete scan; what a killed scan leaves, the next one settles.
CREATE TABLE unsettled_families (
  folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  family INTEGER NOT NULL,
  PRIMARY KEY (folder_id, family)
) WITHOUT ROWID;
-- Before, because no trigger fires after a row that is already there.
CREATE TRIGGER metadata_unsettled BEFORE INSERT ON unsettled_families
WHEN (SELECT name FROM folders WHERE id = new.folder_id) IN ('metadata', '.meta') BEGIN
  INSERT INTO unsettled_families SELECT parent_id, new.family FROM folders
  WHERE id = new.folder_id AND parent_id IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER metadata_moved AFTER UPDATE OF name, parent_id ON folders
WHEN 'metadata' IN (old.name, new.name) OR '.meta' IN (old.name, new.name) BEGIN
  INSERT INTO unsettled_families SELECT parent, family FROM (SELECT old.parent_id AS parent UNION SELECT new.parent_id)
  CROSS JOIN files ON folder_id = new.id WHERE parent IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TABLE unsettled_identifiers (
  content_identifier PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE unsettled_contents (
  fingerprint BLOB PRIMARY KEY
) WITHOUT ROWID;
-- Days of folders in which a time has come, changed or gone, so that zones that are inferred from neighbours and places may
-- be others. There is no reference to the folder, because the assets of a folder that is removed are queued too.
CREATE TABLE unsettled_zones (
  folder_id INTEGER NOT NULL,
  day INTEGER NOT NULL,                 -- days since 1970 on the wall clock
  PRIMARY KEY (folder_id, day)
) WITHOUT ROWID;
CREATE TRIGGER zones_added AFTER INSERT ON assets WHEN new.capture_wall IS NOT NULL BEGIN
  INSERT INTO unsettled_zones VALUES (new.folder_id, new.capture_wall / 86400000) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER zones_changed AFTER UPDATE OF folder_id, name, origin_id, is_missing, absorbed_by, capture_wall,
  capture_offset, capture_source_id, latitude, longitude
ON assets WHEN new.folder_id <> old.folder_id OR new.name IS NOT old.name COLLATE BINARY
  OR new.origin_id <> old.origin_id OR new.is_listed <> old.is_listed OR new.capture_wall IS NOT old.capture_wall
  OR new.capture_offset IS NOT old.capture_offset OR new.capture_source_id IS NOT old.capture_source_id
  OR new.latitude IS NOT old.latitude OR new.longitude IS NOT old.longitude
BEGIN
  INSERT INTO unsettled_zones SELECT old.folder_id, old.capture_wall / 86400000
  WHERE old.capture_wall IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO unsettled_zones SELECT new.folder_id, new.capture_wall / 86400000
  WHERE new.capture_wall IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER zones_removed AFTER DELETE ON assets WHEN old.capture_wall IS NOT NULL BEGIN
  INSERT INTO unsettled_zones VALUES (old.folder_id, old.capture_wall / 86400000) ON CONFLICT DO NOTHING;
END;

-- Changes, as an observer follows them. Each transaction that writes assets has the next number: it is the
-- `revision` of all assets that it wrote, and of those that it removed.
CREATE TABLE changes (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,            -- of the last finished transaction
  state BLOB NOT NULL                   -- random: copies of one catalog have others after their next changes
);
INSERT INTO changes VALUES (1, 0, randomblob(16));
CREATE TRIGGER state_changed AFTER UPDATE OF revision ON changes BEGIN
  UPDATE changes SET state = randomblob(16);
END;
CREATE TABLE removed_assets (
  revision INTEGER NOT NULL,
  identifier BLOB NOT NULL,
  PRIMARY KEY (revision, identifier)
) WITHOUT ROWID;
CREATE TRIGGER asset_changed AFTER UPDATE OF folder_id, origin_id, size, subtypes, is_video, is_missing,
  is_unreadable, is_duplicate, is_favorite, is_spare, absorbed_by, capture_wall, capture_offset, capture_fraction,
  capture_zone_evidence, pixel_width, pixel_height, orientation, duration, frame_rate, latitude, longitude, altitude, rating,
  content_identifier, burst_identifier, name, title, caption, label, pick
ON assets WHEN new.revision = old.revision AND old.revision <= (SELECT revision FROM changes) BEGIN
  UPDATE assets SET revision = (SELECT revision + 1 FROM changes) WHERE id = new.id;
END;
CREATE TRIGGER asset_removed AFTER DELETE ON assets BEGIN
  INSERT INTO removed_assets SELECT revision + 1, old.identifier FROM changes;
END;

-- Full-text search. A word may be in an asset's own texts, in the path of its folder below the root or in its
-- origin's camera. Case and accents do not matter. Lengths of columns serve a ranking, which nothing asks for.
CREATE VIRTUAL TABLE asset_search USING fts5(
  name, title, caption, keywords,
  tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
);
CREATE VIRTUAL TABLE folder_search USING fts5(
  path, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
);
CREATE VIRTUAL TABLE origin_search USING fts5(
  camera, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
);
-- Assets up to this id are in the search index; those in search_changes have changed since. Scans write both.
CREATE TABLE search_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_asset_id INTEGER NOT NULL
);
INSERT INTO search_progress VALUES (1, 0);
CREATE TABLE search_changes (
  asset_id INTEGER PRIMARY KEY
);
-- DO NOTHING rather than OR IGNORE: the conflict clause of the statement that fires a trigger would replace it.
CREATE TRIGGER search_asset_changed AFTER UPDATE OF name, title, caption ON assets
WHEN old.name IS NOT new.name COLLATE BINARY OR old.title IS NOT new.title OR old.caption IS NOT new.caption
BEGIN
  INSERT INTO search_changes VALUES (new.id) ON CONFLICT DO NOTHING;
END;
-- A file that was none before, such as a text under the name of a picture, keeps its id.
CREATE TRIGGER search_asset_added AFTER INSERT ON assets WHEN new.id <= (SELECT last_asset_id FROM search_progress)
BEGIN
  INSERT INTO search_changes VALUES (new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_asset_removed AFTER DELETE ON assets BEGIN
  INSERT INTO search_changes VALUES (old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_keyword_added AFTER INSERT ON keywords
WHEN new.asset_id <= (SELECT last_asset_id FROM search_progress)
BEGIN
  INSERT INTO search_changes VALUES (new.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_keyword_removed AFTER DELETE ON keywords BEGIN
  INSERT INTO search_changes VALUES (old.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_path_added AFTER INSERT ON keyword_paths
WHEN new.is_whole AND new.asset_id <= (SELECT last_asset_id FROM search_progress)
BEGIN
  INSERT INTO search_changes VALUES (new.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_path_removed AFTER DELETE ON keyword_paths WHEN old.is_whole BEGIN
  INSERT INTO search_changes VALUES (old.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_person_added AFTER INSERT ON people
WHEN new.asset_id <= (SELECT last_asset_id FROM search_progress)
BEGIN
  INSERT INTO search_changes VALUES (new.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_person_removed AFTER DELETE ON people BEGIN
  INSERT INTO search_changes VALUES (old.asset_id) ON CONFLICT DO NOTHING;
END;

-- History.

CREATE TABLE scans (
  id INTEGER PRIMARY KEY,
  started INTEGER NOT NULL,
  finished INTEGER,                     -- NULL while it runs, and for one that was killed
  milliseconds INTEGER,                 -- how long it took, by a clock that is never set
  outcome TEXT NOT NULL CHECK (outcome IN ('running', 'finished', 'interrupted', 'failed')),
  scanned INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  moved INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  unreadable INTEGER NOT NULL DEFAULT 0,
  sidecars INTEGER NOT NULL DEFAULT 0,
  ignored INTEGER NOT NULL DEFAULT 0,
  pairs INTEGER NOT NULL DEFAULT 0,
  roots TEXT NOT NULL,                  -- their paths as text, one a line
  is_partial INTEGER NOT NULL DEFAULT 0 -- it has only read folders in some of them
);
CREATE TABLE failures (
  id INTEGER PRIMARY KEY,
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  path NOT NULL,
  error TEXT NOT NULL,
  is_known INTEGER NOT NULL DEFAULT 0,          -- an earlier scan has found it, too
  is_acknowledged INTEGER NOT NULL DEFAULT 0,
  is_absence INTEGER NOT NULL DEFAULT 0         -- a disk that is not mounted
);
CREATE INDEX failures_by_scan ON failures(scan_id);
-- The roots that a scan left as they were, and why. They are in `scans.roots`, too.
CREATE TABLE unavailable_roots (
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  path NOT NULL,
  reason TEXT NOT NULL,
  is_loss INTEGER NOT NULL DEFAULT 0    -- it is there, but more of its files are gone than the scan accepts
);
CREATE INDEX unavailable_roots_by_scan ON unavailable_roots(scan_id);
-- What the last scans found changed, moved or back again. New assets are found by assets.added_date, missing files by
-- files.missing_since.
CREATE TABLE file_changes (
  id INTEGER PRIMARY KEY,
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('changed', 'moved', 'returned')),
  file_id INTEGER REFERENCES files(id) ON DELETE CASCADE,
  folder_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,  -- instead of a file: it moved with all below it
  old_path                              -- of what moved
);
CREATE INDEX file_changes_by_scan ON file_changes(scan_id);
CREATE INDEX file_changes_by_file ON file_changes(file_id) WHERE file_id IS NOT NULL;
CREATE INDEX file_changes_by_folder ON file_changes(folder_id) WHERE folder_id IS NOT NULL;

-- What cannot be read now, since when, and when a scan reads it again. A file that was read has no row, and one
-- that is gone only if the user had accepted its failure.
CREATE TABLE known_failures (
  id INTEGER PRIMARY KEY,
  file_id INTEGER UNIQUE REFERENCES files(id) ON DELETE CASCADE,
  path UNIQUE,                          -- instead of a file: a folder, a disk, a file that is not in the catalog
  error TEXT NOT NULL,
  first_scan INTEGER NOT NULL,          -- the scan that found it
  first_date INTEGER NOT NULL,
  last_scan INTEGER NOT NULL,           -- the last one that reported it
  last_date INTEGER NOT NULL,           -- of the last attempt
  attempts INTEGER NOT NULL,
  next_attempt INTEGER,                 -- NULL: when the file changes
  is_absence INTEGER NOT NULL DEFAULT 0,        -- a disk that is not mounted
  acknowledged_date INTEGER,            -- when the user accepted it
  CHECK ((file_id IS NULL) <> (path IS NULL))
);
CREATE INDEX known_failures_due ON known_failures(next_attempt) WHERE next_attempt IS NOT NULL;
-- Not when it becomes missing: it may have moved, or the scan may take that back.
CREATE TRIGGER failure_ended AFTER UPDATE OF error ON files
WHEN old.error IS NOT NULL AND new.error IS NULL BEGIN
  DELETE FROM known_failures WHERE file_id = new.id;
END;

-- The runs of `shoebox nightly`.
CREATE TABLE nights (
  id INTEGER PRIMARY KEY,
  started INTEGER NOT NULL,
  finished INTEGER,                     -- NULL while it runs, and for one that was killed
  scan_id INTEGER,                      -- its scan, once it has begun
  status INTEGER,                       -- the exit status
  steps TEXT                            -- what each step did: a JSON array
);
