#ifndef SHOEBOX_CTIFF_SHIM_H
#define SHOEBOX_CTIFF_SHIM_H

#include <stdio.h>
#include <tiffio.h>

#if !defined(TIFFLIB_AT_LEAST)
#error "libtiff 4.5 or later is needed: older ones have one error handler for all files, and no limit on memory."
#endif

/// The size of the buffer for an error message, with its final 0.
static inline int shoebox_tiff_message_size(void) { return 240; }

/// Keeps the first error, which is the cause of the others. Returns 1: no other handler is called.
static inline int shoebox_tiff_keep_error(TIFF *tiff, void *message, const char *module,
                                          const char *format, va_list values) {
  char *text = (char *)message;
  if (text && !text[0]) vsnprintf(text, (size_t)shoebox_tiff_message_size(), format, values);
  return 1;
}

static inline int shoebox_tiff_ignore(TIFF *tiff, void *message, const char *module,
                                      const char *format, va_list values) {
  return 1;
}

static inline tmsize_t shoebox_tiff_write_nothing(thandle_t reader, void *bytes, tmsize_t count) {
  return 0;
}

static inline int shoebox_tiff_close_nothing(thandle_t reader) { return 0; }

/// Opens a TIFF for reading and reads its first directory, without mapping it to memory.
static inline TIFF *shoebox_tiff_open(thandle_t reader, TIFFReadWriteProc read, TIFFSeekProc seek,
                                      TIFFSizeProc size, tmsize_t memory, char *message) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, shoebox_tiff_keep_error, message);
  TIFFOpenOptionsSetWarningHandlerExtR(options, shoebox_tiff_ignore, NULL);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, memory);
#if TIFFLIB_AT_LEAST(4, 7, 0)
  TIFFOpenOptionsSetMaxCumulatedMemAlloc(options, 2 * memory);
#endif
  TIFF *tiff = TIFFClientOpenExt("picture", "rm", reader, read, shoebox_tiff_write_nothing, seek,
                                 shoebox_tiff_close_nothing, size, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}

// Swift does not import functions with a variable number of arguments.

/// A field of 16 bits, its default by TIFF 6.0, or else `missing`.
static inline uint16_t shoebox_tiff_u16(TIFF *tiff, uint32_t tag, uint16_t missing) {
  uint16_t value = missing;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : missing;
}

/// A field of 32 bits, its default by TIFF 6.0, or else 0.
static inline uint32_t shoebox_tiff_u32(TIFF *tiff, uint32_t tag) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : 0;
}

/// The kinds of the extra channels, which belong to the file; NULL for none.
static inline const uint16_t *shoebox_tiff_extra_samples(TIFF *tiff, uint16_t *count) {
  uint16_t *kinds = NULL;
  *count = 0;
  if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, count, &kinds)) *count = 0;
  return kinds;
}

/// The three lists of a palette, each of 2 to the power of the bits a sample.
static inline int shoebox_tiff_color_map(TIFF *tiff, const uint16_t **red, const uint16_t **green,
                                         const uint16_t **blue) {
  uint16_t *lists[3] = {NULL, NULL, NULL};
  int found = TIFFGetField(tiff, TIFFTAG_COLORMAP, &lists[0], &lists[1], &lists[2]);
  *red = lists[0];
  *green = lists[1];
  *blue = lists[2];
  return found && lists[0] && lists[1] && lists[2];
}

/// The number of luma samples for one chroma sample, across and down.
static inline void shoebox_tiff_subsampling(TIFF *tiff, uint16_t *across, uint16_t *down) {
  *across = *down = 2;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, across, down);
}

/// The chromaticity of white; 0 if the file has none.
static inline int shoebox_tiff_white_point(TIFF *tiff, float *x, float *y) {
  float *point = NULL;
  if (!TIFFGetField(tiff, TIFFTAG_WHITEPOINT, &point) || !point) return 0;
  *x = point[0];
  *y = point[1];
  return 1;
}

/// Makes the JPEG decoder return RGB for YCbCr.
static inline int shoebox_tiff_use_rgb(TIFF *tiff) {
  return TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

/// Makes libtiff return the pixels as stored, whatever the file says of its orientation.
static inline int shoebox_tiff_ignore_orientation(TIFF *tiff) {
  return TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
}

/// Rows of a picture in RGBA of 8 bits, the first channel in the lowest byte. The rows must be those of one strip, or
/// of one row of tiles.
static inline int shoebox_tiff_rgba(TIFF *tiff, uint32_t row, uint32_t count, uint32_t *pixels,
                                    char *message) {
  char reason[1024] = "";
  TIFFRGBAImage image;
  if (!TIFFRGBAImageOK(tiff, reason) || !TIFFRGBAImageBegin(&image, tiff, 1, reason)) {
    if (!message[0]) snprintf(message, (size_t)shoebox_tiff_message_size(), "%s", reason);
    return 0;
  }
  image.req_orientation = ORIENTATION_TOPLEFT;
  image.row_offset = (int)row;
  image.col_offset = 0;
  int result = TIFFRGBAImageGet(&image, pixels, image.width, count);
  TIFFRGBAImageEnd(&image);
  return result;
}

#endif
