-- The catalog as it was born. docs/catalog.md explains it to people who query it with sqlite3.
--
-- Times are integers: milliseconds since 1970 UTC, but for files.modified (nanoseconds) and
-- assets.capture_wall (milliseconds since 1970-01-01T00:00:00 on the wall clock where the picture was
-- taken). Paths and names are TEXT where they are valid UTF-8 and BLOB where they are not.

PRAGMA application_id = 0x53686278;     -- 'Shbx': this file is a catalog of Shoebox and nothing else

CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  path NOT NULL UNIQUE,                 -- absolute, no symlinks, no trailing slash
  added_date INTEGER NOT NULL,
  device INTEGER NOT NULL,              -- st_dev and st_ino of the folder when last scanned
  inode INTEGER NOT NULL
);

CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  root_id INTEGER NOT NULL REFERENCES roots(id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,  -- NULL for a root's own folder
  path NOT NULL,                        -- below the root, '' for the root's own folder
  name NOT NULL,                        -- the last component of path
  is_mount_point INTEGER NOT NULL DEFAULT 0,
  -- What the last complete look at this folder saw: a digest of the name, size, modification time and
  -- inode of every file in it. NULL: look at every file again.
  digest INTEGER,
  media_count INTEGER NOT NULL DEFAULT 0,       -- files in that digest, by what they were
  unreadable_count INTEGER NOT NULL DEFAULT 0,
  sidecar_count INTEGER NOT NULL DEFAULT 0,
  ignored_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (root_id, path)
);
CREATE INDEX folders_by_parent ON folders(parent_id);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  name NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,            -- nanoseconds
  inode INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('media', 'sidecar', 'other')),
  status TEXT NOT NULL CHECK (status IN ('present', 'missing', 'unreadable')),
  declared_type TEXT,                   -- the uniform type its extension promises, if that differs
  fingerprint BLOB,                     -- of the size and parts of the content
  content_digest BLOB,                  -- of all of it, where another file has the fingerprint
  missing_since INTEGER,                -- the scan that noticed it gone, for 'missing'
  error TEXT,                           -- one sentence, for 'unreadable'
  is_transient_error INTEGER NOT NULL DEFAULT 0  -- worth another try though the file is unchanged
);
CREATE UNIQUE INDEX files_by_name ON files(folder_id, name) WHERE status <> 'missing';
CREATE INDEX files_by_folder ON files(folder_id);
CREATE INDEX files_missing ON files(folder_id, name) WHERE status = 'missing';
CREATE INDEX files_missing_since ON files(missing_since) WHERE status = 'missing';
CREATE INDEX files_by_inode ON files(inode);
CREATE INDEX files_by_fingerprint ON files(fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX files_by_content_digest ON files(content_digest) WHERE content_digest IS NOT NULL;

-- One picture or video. Its facts are those of its file; a video that has become part of a live photo
-- keeps its row, with absorbed_by naming the still, and is not listed.
CREATE TABLE assets (
  id INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,      -- a UUID, never reused
  file_id INTEGER NOT NULL UNIQUE REFERENCES files(id) ON DELETE CASCADE,
  absorbed_by INTEGER REFERENCES assets(id) ON DELETE SET NULL,
  absorbed_as TEXT,                     -- the type of resource it has become there
  absorbed_why TEXT,                    -- the evidence, as 'contentIdentifier'
  status TEXT NOT NULL CHECK (status IN ('present', 'missing', 'unreadable')),
  media_type TEXT NOT NULL CHECK (media_type IN ('image', 'video')),
  subtypes INTEGER NOT NULL DEFAULT 0,  -- bits of MediaSubtypes
  is_duplicate INTEGER NOT NULL DEFAULT 0,      -- another asset has exactly this content
  uniform_type TEXT NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,    -- the file's name, as text
  size INTEGER NOT NULL,
  added_date INTEGER NOT NULL,
  pixel_width INTEGER,                  -- upright
  pixel_height INTEGER,
  orientation INTEGER,                  -- as stored, 1...8
  duration REAL,                        -- seconds
  capture_wall INTEGER,
  capture_utc INTEGER,                  -- known only with an offset
  capture_offset INTEGER,               -- minutes east of UTC
  capture_date TEXT,                    -- ISO 8601
  capture_source TEXT,
  latitude REAL,
  longitude REAL,
  altitude REAL,
  make TEXT,
  model TEXT,
  lens TEXT,
  software TEXT,
  exposure_time REAL,
  f_number REAL,
  iso INTEGER,
  focal_length REAL,
  focal_length_35mm INTEGER,
  video_codec TEXT,
  frame_rate REAL,
  dynamic_range TEXT,
  audio_codec TEXT,
  title TEXT,
  caption TEXT,
  rating INTEGER,
  content_identifier TEXT,
  burst_identifier TEXT,
  clip_offset INTEGER,                  -- a motion clip inside the file
  clip_length INTEGER,
  clip_evidence TEXT,
  clues TEXT,                           -- what recognition weighs, one 'key=value' a line
  warnings TEXT,                        -- what was wrong in the file, a sentence a line
  embedded_values TEXT                  -- JSON: what the file itself has in columns a sidecar set
);
-- Listings. Each is an order of the listed assets, newest first where it is by capture.
CREATE INDEX assets_by_capture ON assets(capture_wall)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_type ON assets(media_type, capture_wall)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_name ON assets(name)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_size ON assets(size)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_duration ON assets(duration)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_added ON assets(added_date)
  WHERE absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_missing ON assets(capture_wall) WHERE status = 'missing';
CREATE INDEX assets_unreadable ON assets(file_id) WHERE status = 'unreadable';
CREATE INDEX assets_by_content_identifier ON assets(content_identifier, media_type)
  WHERE content_identifier IS NOT NULL;
CREATE INDEX assets_by_burst ON assets(burst_identifier) WHERE burst_identifier IS NOT NULL;
CREATE INDEX assets_absorbed ON assets(absorbed_by) WHERE absorbed_by IS NOT NULL;
-- One order for each subtype's listing.
CREATE INDEX assets_live_photos ON assets(capture_wall)
  WHERE subtypes & 1 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_motion_photos ON assets(capture_wall)
  WHERE subtypes & 2 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_screenshots ON assets(capture_wall)
  WHERE subtypes & 4 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_screen_recordings ON assets(capture_wall)
  WHERE subtypes & 8 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_bursts ON assets(capture_wall)
  WHERE subtypes & 16 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_panoramas ON assets(capture_wall)
  WHERE subtypes & 32 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_depth_effect ON assets(capture_wall)
  WHERE subtypes & 64 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_cinematic ON assets(capture_wall)
  WHERE subtypes & 128 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_slomo ON assets(capture_wall)
  WHERE subtypes & 256 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_timelapse ON assets(capture_wall)
  WHERE subtypes & 512 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_spatial ON assets(capture_wall)
  WHERE subtypes & 1024 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_hdr ON assets(capture_wall)
  WHERE subtypes & 2048 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_raw ON assets(capture_wall)
  WHERE subtypes & 4096 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_edited ON assets(capture_wall)
  WHERE subtypes & 8192 <> 0 AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_duplicates ON assets(capture_wall)
  WHERE is_duplicate <> 0 AND absorbed_by IS NULL AND status <> 'missing';

CREATE TABLE keywords (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  keyword TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (asset_id, keyword)
) WITHOUT ROWID;
CREATE INDEX keywords_by_keyword ON keywords(keyword);

-- What an asset consists of: its own file, a motion clip (beside it or inside it), sidecars.
CREATE TABLE resources (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('photo', 'video', 'pairedVideo', 'alternatePhoto',
    'fullSizePhoto', 'adjustmentData', 'sidecar')),
  file_id INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
  uniform_type TEXT NOT NULL,
  offset INTEGER,                       -- bytes into the file, for an embedded clip
  length INTEGER,
  PRIMARY KEY (asset_id, type, file_id)
) WITHOUT ROWID;
CREATE INDEX resources_by_file ON resources(file_id);

-- What a sidecar file says of the picture it belongs to.
CREATE TABLE sidecars (
  file_id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('adjustmentData', 'xmp', 'takeoutJSON')),
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
  orientation INTEGER
);

-- Why an asset is of a kind, or came close to it.
CREATE TABLE labels (
  asset_id INTEGER NOT NULL REFERENCES assets(id) ON DELETE CASCADE,
  subtype TEXT NOT NULL,                -- the word of MediaSubtypes, as 'screenshot'
  is_given INTEGER NOT NULL,            -- 0 for a near miss
  score INTEGER,                        -- the sum of the weights, or how certain a pair is in per cent
  evidence TEXT NOT NULL,               -- a phrase a line
  PRIMARY KEY (asset_id, subtype)
) WITHOUT ROWID;

-- What has changed since kinds that take more than one file to see (live photos, RAW beside JPEG, edited
-- versions) were last settled. Emptied at the end of each scan; what a killed scan leaves here is settled
-- by the next one.
CREATE TABLE unsettled_folders (
  folder_id INTEGER PRIMARY KEY REFERENCES folders(id) ON DELETE CASCADE
);
CREATE TABLE unsettled_identifiers (
  content_identifier TEXT PRIMARY KEY
) WITHOUT ROWID;
-- The same for exact copies: fingerprints that several files have or had.
CREATE TABLE unsettled_contents (
  fingerprint BLOB PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE scans (
  id INTEGER PRIMARY KEY,
  started INTEGER NOT NULL,
  finished INTEGER,                     -- NULL while it runs, and for one that was killed
  outcome TEXT NOT NULL CHECK (outcome IN ('running', 'finished', 'interrupted', 'failed')),
  scanned INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  moved INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  unreadable INTEGER NOT NULL DEFAULT 0,
  ignored INTEGER NOT NULL DEFAULT 0,
  pairs INTEGER NOT NULL DEFAULT 0,
  roots TEXT NOT NULL                   -- their paths as text, one a line
);

CREATE TABLE failures (
  id INTEGER PRIMARY KEY,
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  path NOT NULL,
  error TEXT NOT NULL
);
CREATE INDEX failures_by_scan ON failures(scan_id);
