#ifndef SHOEBOX_CTURBOJPEG_SHIM_H
#define SHOEBOX_CTURBOJPEG_SHIM_H

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <jpeglib.h>
#include <turbojpeg.h>

// TurboJPEG refuses subsamplings for which it has no name. libjpeg decodes them, but reports an error by a jump, which
// Swift cannot receive.

/// The size of the buffer for a message, with its final 0.
static inline int shoebox_jpeg_message_size(void) { return JMSG_LENGTH_MAX; }

struct shoebox_jpeg_error {
  struct jpeg_error_mgr manager;
  jmp_buf start;
  /// The first warning or the error.
  char *message;
};

static inline void shoebox_jpeg_keep(j_common_ptr info) {
  struct shoebox_jpeg_error *error = (struct shoebox_jpeg_error *)info->err;
  if (!error->message[0]) error->manager.format_message(info, error->message);
}

static inline void shoebox_jpeg_exit(j_common_ptr info) {
  struct shoebox_jpeg_error *error = (struct shoebox_jpeg_error *)info->err;
  error->manager.format_message(info, error->message);
  longjmp(error->start, 1);
}

static inline void shoebox_jpeg_warn(j_common_ptr info, int level) {
  if (level >= 0) return;
  info->err->num_warnings++;
  shoebox_jpeg_keep(info);
}

/// Ends the decoding of a progressive JPEG with too many scans, as `TJFLAG_LIMITSCANS` does.
static inline void shoebox_jpeg_progress(j_common_ptr info) {
  if (!info->is_decompressor || ((j_decompress_ptr)info)->input_scan_number <= 500) return;
  struct shoebox_jpeg_error *error = (struct shoebox_jpeg_error *)info->err;
  snprintf(error->message, JMSG_LENGTH_MAX, "Progressive JPEG image has more than 500 scans");
  longjmp(error->start, 1);
}

/// What a call of ``shoebox_jpeg_decode`` reads from a JPEG.
struct shoebox_jpeg_picture {
  int width, height;
  /// 1 grey, 3 RGB, 4 CMYK as stored.
  int channels;
};

/// Decodes a JPEG, or only its header if `pixels` is NULL.
///
/// The size is that of the picture divided by `divisor`, which is 1, 2, 4 or 8, rounded up. `pixels` has `capacity` bytes,
/// for rows without padding. `message` has a size of ``shoebox_jpeg_message_size`` and is empty. Returns 0, 1 after a
/// warning, or -1 after an error.
static inline int shoebox_jpeg_decode(const unsigned char *bytes, unsigned long count, int divisor,
                                      struct shoebox_jpeg_picture *picture, unsigned char *pixels,
                                      size_t capacity, char *message) {
  struct jpeg_decompress_struct info;
  struct shoebox_jpeg_error error;
  struct jpeg_progress_mgr progress;
  memset(&info, 0, sizeof info);
  memset(&progress, 0, sizeof progress);
  info.err = jpeg_std_error(&error.manager);
  error.manager.error_exit = shoebox_jpeg_exit;
  error.manager.emit_message = shoebox_jpeg_warn;
  error.message = message;
  if (setjmp(error.start)) {
    jpeg_destroy_decompress(&info);
    return -1;
  }
  jpeg_create_decompress(&info);
  progress.progress_monitor = shoebox_jpeg_progress;
  info.progress = &progress;
  jpeg_mem_src(&info, (unsigned char *)bytes, count);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = info.num_components == 1   ? JCS_GRAYSCALE
                         : info.num_components == 4 ? JCS_CMYK
                                                    : JCS_RGB;
  info.scale_num = 1;
  info.scale_denom = (unsigned int)divisor;
  info.dct_method = JDCT_ISLOW;
  jpeg_calc_output_dimensions(&info);
  picture->width = (int)info.output_width;
  picture->height = (int)info.output_height;
  picture->channels = info.output_components;
  if (pixels) {
    jpeg_start_decompress(&info);
    size_t row = (size_t)info.output_width * (size_t)info.output_components;
    while (info.output_scanline < info.output_height) {
      JSAMPROW line = pixels + row * info.output_scanline;
      if (row * (info.output_scanline + (size_t)1) > capacity) break;
      jpeg_read_scanlines(&info, &line, 1);
    }
    if (info.output_scanline == info.output_height) jpeg_finish_decompress(&info);
  }
  int result = error.manager.num_warnings > 0 ? 1 : 0;
  jpeg_destroy_decompress(&info);
  return result;
}

#endif
