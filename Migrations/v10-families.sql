-- The name of the file that a Takeout JSON describes (its `title`); NULL for other sidecars. It ties files of
-- older exports, whose own names lack the extension of the picture.
ALTER TABLE sidecars ADD COLUMN described_name TEXT;

-- The next scan reads Takeout's files again, for that name.
UPDATE files SET is_transient_error = 1
WHERE id IN (SELECT file_id FROM sidecars WHERE kind = 'takeoutJSON');
UPDATE folders SET digest = NULL
WHERE id IN (SELECT folder_id FROM files JOIN sidecars ON sidecars.file_id = files.id
  WHERE sidecars.kind = 'takeoutJSON');

-- This version makes an edited live photo one asset with its original, and lets the sidecars of RAW files and
-- edited pictures describe their asset: the next scan settles every folder again, without opening a file.
INSERT INTO unsettled_folders
SELECT id FROM folders WHERE true
ON CONFLICT DO NOTHING;
