-- Full-text search over what an asset is called and said to be, and searches kept under a name.

-- What is searched of each asset, listed or not: `folder` is the path below the library folder.
CREATE VIEW search_texts AS
SELECT a.id AS asset_id, a.name, CAST(d.path AS TEXT) AS folder, a.title, a.caption,
  (SELECT group_concat(keyword, char(10)) FROM keywords WHERE keywords.asset_id = a.id) AS keywords,
  ifnull(a.make, '') || char(10) || ifnull(a.model, '') || char(10) || ifnull(a.lens, '') AS camera
FROM assets AS a CROSS JOIN files AS f ON f.id = a.file_id
CROSS JOIN folders AS d ON d.id = f.folder_id;

-- The words of those texts; a row's number is its asset's. Accents and case do not count. No ranking is
-- asked for, so lengths of columns are not kept.
CREATE VIRTUAL TABLE asset_search USING fts5(
  name, folder, title, caption, keywords, camera,
  tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
);

-- Assets whose texts have changed since they were last indexed; filled by the triggers below, emptied in
-- batches during a scan and at its end. What a killed scan leaves here the next one writes.
CREATE TABLE search_changes (
  asset_id INTEGER PRIMARY KEY
);

INSERT INTO asset_search (rowid, name, folder, title, caption, keywords, camera)
SELECT * FROM search_texts ORDER BY asset_id;

-- DO NOTHING rather than OR IGNORE: what the statement that fires a trigger says of conflicts would
-- replace the latter.
CREATE TRIGGER search_asset_added AFTER INSERT ON assets BEGIN
  INSERT INTO search_changes VALUES (new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_asset_changed
AFTER UPDATE OF name, title, caption, make, model, lens, file_id ON assets
WHEN old.name IS NOT new.name OR old.title IS NOT new.title OR old.caption IS NOT new.caption
  OR old.make IS NOT new.make OR old.model IS NOT new.model OR old.lens IS NOT new.lens
  OR old.file_id IS NOT new.file_id
BEGIN
  INSERT INTO search_changes VALUES (new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_asset_removed AFTER DELETE ON assets BEGIN
  INSERT INTO search_changes VALUES (old.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_keyword_added AFTER INSERT ON keywords BEGIN
  INSERT INTO search_changes VALUES (new.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_keyword_removed AFTER DELETE ON keywords BEGIN
  INSERT INTO search_changes VALUES (old.asset_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_file_moved AFTER UPDATE OF folder_id ON files
WHEN old.folder_id <> new.folder_id
BEGIN
  INSERT INTO search_changes SELECT id FROM assets WHERE file_id = new.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER search_folder_renamed AFTER UPDATE OF path ON folders
WHEN old.path IS NOT new.path
BEGIN
  INSERT INTO search_changes
  SELECT assets.id FROM files JOIN assets ON assets.file_id = files.id WHERE folder_id = new.id
  ON CONFLICT DO NOTHING;
END;

-- What `list --save NAME` keeps: the flags as they were given, a JSON array of texts.
CREATE TABLE saved_searches (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  arguments TEXT NOT NULL,
  saved_date INTEGER NOT NULL
) WITHOUT ROWID;
