-- The folder of an asset's file beside the asset itself, so that a listing of a folder is answered by one
-- index: neither the files nor the assets are touched but those that are shown.

ALTER TABLE assets ADD COLUMN file_folder_id INTEGER;  -- that of its file; kept equal by the triggers below

UPDATE assets SET file_folder_id = (SELECT folder_id FROM files WHERE files.id = file_id);

-- Behind the folder what orders a listing, and the kinds, which most listings of a folder ask of.
CREATE INDEX assets_by_folder ON assets(file_folder_id, capture_wall, media_type, subtypes)
  WHERE absorbed_by IS NULL AND status <> 'missing';

-- A scan writes the column itself.
CREATE TRIGGER folder_of_asset_added AFTER INSERT ON assets WHEN new.file_folder_id IS NULL BEGIN
  UPDATE assets SET file_folder_id = (SELECT folder_id FROM files WHERE id = new.file_id)
  WHERE id = new.id;
END;
CREATE TRIGGER folder_of_asset_moved AFTER UPDATE OF folder_id ON files
WHEN old.folder_id <> new.folder_id
BEGIN
  UPDATE assets SET file_folder_id = new.folder_id WHERE file_id = new.id;
END;
