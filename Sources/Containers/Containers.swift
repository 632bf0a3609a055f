// Containers: readers that find things in media files without decoding them.
//
// A picture's EXIF block, its XMP packet, the clip behind it, the size of its frame: all of these lie
// at places that a few bytes of structure tell. The readers here follow that structure (JPEG segments,
// PNG chunks, RIFF chunks, TIFF directories, ISO boxes) and hand out what they find as plain values.
// They exist because the C libraries do not reach these places, or only by decoding the whole file.
//
// Rules of the room:
// - Bytes come through a `ByteSource`, so that a file on a slow disk costs few reads, and leave as
//   arrays. There are no pointers, no C library and no Foundation.
// - Every length and offset in a file is a claim made by a stranger. Arithmetic on it is checked, every
//   loop has a bound, and no memory is set aside on its word.
// - A reader gives what it found as long as the file can be recognised at all. What is broken beyond
//   that is a `ContainerError`; input/output errors of the source pass through unchanged.
