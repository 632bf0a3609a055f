// POSIX: the door to the kernel.
//
// Directories, stat, file locks, resource limits and terminals are C interfaces that take pointers, so
// they live behind a door like every other C library; the rooms that walk libraries and read files stay
// free of `unsafe`. Paths go in as bytes, results come out as values, and a failure is always a
// `SystemError` that says which call failed and why. Originals are opened for reading only, by
// `ReadOnlyFile`; what is written are files of Shoebox's own making: `OutputFile`, `AppendFile` and
// `FileLock`.
