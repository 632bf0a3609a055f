// Indexer: brings the catalog up to date with the disks.
//
// A scan walks the library folders one at a time, compares what lies there with what the catalog
// remembers, sends the files that are new or changed to the codec pool, and records the replies. It is
// made for libraries that hardly change: a folder in which nothing did costs one reading, one stat for
// each file and the comparison of one number.
//
// Whatever happens to the process or the disks, the catalog stays true. A file is recorded in one
// transaction; a folder counts as done only when all of its files are; what cannot be seen at the moment
// is never taken for gone.
