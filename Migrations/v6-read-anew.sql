-- The format of an AAE's edits (`adjustmentFormatIdentifier`): it distinguishes a slow motion from a trim.
ALTER TABLE sidecars ADD COLUMN adjustment_format TEXT;

-- As in v5: this version finds more (cameras and clocks of movies, lenses, square pixels, screenshots in more
-- languages) and takes less for what it only looks like, so the next scan reads every file again.
UPDATE files SET is_transient_error = 1;
UPDATE folders SET digest = NULL;
