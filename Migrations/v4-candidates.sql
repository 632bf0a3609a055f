-- Indexes that lead to the few assets with a rare value, so that a listing of them does not walk the
-- library.

-- What made an asset, and as what. Cameras, lenses, programs and types are few, however many assets there
-- are: a condition on them is asked of this table's rows, and the index below has the assets of each.
CREATE TABLE origins (
  id INTEGER PRIMARY KEY,
  uniform_type TEXT NOT NULL,
  make TEXT,
  model TEXT,
  lens TEXT,
  software TEXT,
  video_codec TEXT
);
CREATE INDEX origins_by_values ON origins(uniform_type, make, model, lens, software, video_codec);

ALTER TABLE assets ADD COLUMN origin_id INTEGER;  -- kept by the triggers below; a row that nobody has any more stays

INSERT INTO origins (uniform_type, make, model, lens, software, video_codec)
SELECT DISTINCT uniform_type, make, model, lens, software, video_codec FROM assets;

UPDATE assets SET origin_id = (
  SELECT o.id FROM origins AS o WHERE o.uniform_type = assets.uniform_type AND o.make IS assets.make
  AND o.model IS assets.model AND o.lens IS assets.lens AND o.software IS assets.software
  AND o.video_codec IS assets.video_codec);

CREATE INDEX assets_by_origin ON assets(origin_id, capture_wall)
  WHERE absorbed_by IS NULL AND status <> 'missing';

-- Whoever writes those values may write the number with them; for others it is found or made here.
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

CREATE INDEX assets_by_place ON assets(latitude, longitude)
  WHERE latitude IS NOT NULL AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_by_rating ON assets(rating, capture_wall)
  WHERE rating IS NOT NULL AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_with_title ON assets(capture_wall)
  WHERE title IS NOT NULL AND absorbed_by IS NULL AND status <> 'missing';
CREATE INDEX assets_with_caption ON assets(capture_wall)
  WHERE caption IS NOT NULL AND absorbed_by IS NULL AND status <> 'missing';

-- With the kinds after the sort key: all videos are larger than pictures, and longer, so a listing of one
-- kind skips all of another. The number precedes them, to keep the order total.
DROP INDEX assets_by_size;
CREATE INDEX assets_by_size ON assets(size, id, media_type, subtypes)
  WHERE absorbed_by IS NULL AND status <> 'missing';
DROP INDEX assets_by_duration;
CREATE INDEX assets_by_duration ON assets(duration, id, media_type, subtypes)
  WHERE absorbed_by IS NULL AND status <> 'missing';
