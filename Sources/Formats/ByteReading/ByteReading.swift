// ByteReading: checked reading and writing of bytes, for all formats.
//
// Bytes come through a `ByteSource`, so that a file on a slow disk costs few reads, and leave as arrays. There
// are no pointers, no C library and no Foundation. Lengths and offsets in files are not trusted: arithmetic on them is
// checked, every loop has a bound, and no memory is reserved only because of a stated length.
