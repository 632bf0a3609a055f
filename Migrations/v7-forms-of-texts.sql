-- v4's triggers again, for catalogs created by the first version of v4: a program that writes an asset's
-- origin may write its origin's number with it; for others the number is found or made here.
DROP TRIGGER origin_of_asset_added;
DROP TRIGGER origin_of_asset_changed;
CREATE TRIGGER origin_of_asset_added AFTER INSERT ON assets WHEN new.origin_id IS NULL BEGIN
  UPDATE assets SET uniform_type = uniform_type WHERE id = new.id;
END;
CREATE TRIGGER origin_of_asset_changed
AFTER UPDATE OF uniform_type, make, model, lens, software, video_codec ON assets
WHEN new.origin_id IS NULL OR (new.origin_id IS old.origin_id
  AND (old.uniform_type <> new.uniform_type OR old.make IS NOT new.make OR old.model IS NOT new.model
    OR old.lens IS NOT new.lens OR old.software IS NOT new.software
    OR old.video_codec IS NOT new.video_codec))
BEGIN
  INSERT INTO origins (uniform_type, make, model, lens, software, video_codec)
  SELECT new.uniform_type, new.make, new.model, new.lens, new.software, new.video_codec
  WHERE NOT EXISTS (
    SELECT 1 FROM origins AS o WHERE o.uniform_type = new.uniform_type AND o.make IS new.make
    AND o.model IS new.model AND o.lens IS new.lens AND o.software IS new.software
    AND o.video_codec IS new.video_codec);
  UPDATE assets SET origin_id = (
    SELECT o.id FROM origins AS o WHERE o.uniform_type = new.uniform_type AND o.make IS new.make
    AND o.model IS new.model AND o.lens IS new.lens AND o.software IS new.software
    AND o.video_codec IS new.video_codec)
  WHERE id = new.id;
END;

-- The number of sidecars that a scan saw; unknown for earlier scans.
ALTER TABLE scans ADD COLUMN sidecars INTEGER NOT NULL DEFAULT 0;

-- The words of the search are now written without the accents of Greek and Cyrillic letters, too, composed,
-- and with letters such as ß and ł spelled in plain ones. SQL cannot do that, so the next scan writes those of
-- all assets that have other texts than ASCII.
INSERT INTO search_changes
SELECT asset_id FROM search_texts
WHERE name || folder || ifnull(title, '') || ifnull(caption, '') || ifnull(keywords, '') || camera
  GLOB '*[^' || char(1) || '-' || char(127) || ']*'
ON CONFLICT DO NOTHING;
