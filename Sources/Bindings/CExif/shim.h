#ifndef SHOEBOX_CEXIF_SHIM_H
#define SHOEBOX_CEXIF_SHIM_H

#include <libexif/exif-data.h>
#include <libexif/exif-mnote-data.h>

/// One directory of a block. `ifd` is a fixed-size array, which Swift imports as a tuple without subscripts.
static inline ExifContent *shoebox_exif_directory(const ExifData *data, unsigned int index) {
  return index < EXIF_IFD_COUNT ? data->ifd[index] : 0;
}

#endif
