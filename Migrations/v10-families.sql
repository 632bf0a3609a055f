-- The name of the file that a Takeout JSON describes (its `title`); NULL for other sidecars. It ties files of
-- older exports, whose own names lack the extension of the picture.
ALTER TABLE sidecars ADD COLUMN described_name TEXT;

-- As in v6: this version finds more (names in Takeout's files, texts and altitudes of EXIF 3.0, HEIF pictures whose
-- structure is unusual, OS/2 bitmaps), so the next scan reads every file again.
UPDATE files SET is_transient_error = 1;
UPDATE folders SET digest = NULL;

-- This version makes an edited live photo one asset with its original, and lets the sidecars of RAW files and
-- edited pictures describe their asset: the next scan settles every folder again.
INSERT INTO unsettled_folders
SELECT id FROM folders WHERE true
ON CONFLICT DO NOTHING;
