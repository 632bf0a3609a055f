-- When a file's content or attributes last changed (st_ctime), in nanoseconds since 1970 UTC. NULL: not known;
-- the next scan fills it without opening the file. The smallest integer: the file was so young when the scan
-- saw it that a later change may carry the same times; the next scan reads it again.
ALTER TABLE files ADD COLUMN changed INTEGER;

-- Whether every file of the asset is there a second time, in an asset that is not spare.
ALTER TABLE assets ADD COLUMN is_spare INTEGER NOT NULL DEFAULT 0;
CREATE INDEX assets_spare ON assets(capture_wall)
  WHERE is_spare <> 0 AND absorbed_by IS NULL AND status <> 'missing';

-- The next scan fills it for the copies that are known.
INSERT INTO unsettled_contents
SELECT DISTINCT files.fingerprint FROM assets JOIN files ON files.id = assets.file_id
WHERE assets.is_duplicate <> 0 AND files.fingerprint IS NOT NULL
ON CONFLICT DO NOTHING;

-- How long a scan took, by a clock that is never set; NULL for scans of earlier versions.
ALTER TABLE scans ADD COLUMN milliseconds INTEGER;

-- The roots that a scan left as they were, and why. They are in `scans.roots`, too.
CREATE TABLE unavailable_roots (
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  path NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX unavailable_roots_by_scan ON unavailable_roots(scan_id);
