// ByteReading: checked reading and writing of bytes, for all formats.
//
// Bytes come through a `ByteSource`, so that a file on a slow disk costs few reads, and leave as arrays. There
// are no pointers, no C library and no Foundation. Every length and offset in a file comes from a stranger:
// arithmetic on it is checked, every loop has a bound, and no memory is reserved because of it alone.
