-- The format of an AAE's edits (`adjustmentFormatIdentifier`): it tells a slow motion from a mere trim.
ALTER TABLE sidecars ADD COLUMN adjustment_format TEXT;

-- As in v5: this version finds more (cameras and clocks of movies, lenses, square pixels, screenshots in more
-- languages) and takes less for what it only looks like, so the next scan looks at every file once more.
UPDATE files SET is_transient_error = 1;
UPDATE folders SET digest = NULL;
