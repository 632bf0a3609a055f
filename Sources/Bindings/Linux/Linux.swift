// Linux: a wrapper of the kernel's interfaces.
//
// Directories, stat, file locks, resource limits, processes and terminals are C interfaces that take pointers. Modules
// that walk libraries and read files use this wrapper and need no `unsafe`. Paths are passed as bytes and results are
// values. A failure is always a `SystemError`, which reports the call and the reason. `ReadOnlyFile` opens originals for
// reading only. Only `OutputFile`, `AppendFile` and `FileLock` write, and only files that Shoebox makes.
