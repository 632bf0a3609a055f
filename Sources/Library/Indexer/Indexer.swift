// Indexer: brings the catalog up to date with the disks.
//
// A scan walks the library folders one at a time, compares each with the catalog, sends new and changed files to the
// worker pool, and records the replies. It is made for libraries that hardly change: an unchanged folder costs one
// reading, one stat for each file and one comparison.
//
// The catalog stays true whatever happens to the process or the disks. A file is recorded in one transaction. A folder
// counts as done only when all of its files are. What cannot be seen at the moment is never reported as gone.
