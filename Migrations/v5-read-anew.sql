-- What a version of the program finds in a file is kept as long as the file stays as it is. This version
-- finds more than those before it (HDR of new JPEGs, Samsung's and Google's kinds, what cameras write into
-- movies, RAW files of more makers, zones), so the next scan reads every file again, as it does at those that
-- it could not read through no fault of theirs.
UPDATE files SET is_transient_error = 1;
UPDATE folders SET digest = NULL;
