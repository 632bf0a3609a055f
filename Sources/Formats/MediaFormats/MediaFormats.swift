// MediaFormats: readers that find things in media files without decoding them; a folder for each format.
//
// A picture's EXIF block, its XMP packet, the clip after it, the size of its frame: their places follow from a
// few bytes of structure. The readers follow that structure (JPEG segments, PNG chunks, RIFF chunks, TIFF
// directories, ISO boxes) and return what they find as plain values. They exist because the C libraries do not
// reach these places, or only by decoding the whole file.
//
// If a file is damaged, a reader returns the facts that it can still find. It throws a `ContainerError` only if the
// format cannot be recognised or nothing is left. Input/output errors of the source pass through unchanged.
