#ifndef SHOEBOX_CFFMPEG_SHIM_H
#define SHOEBOX_CFFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Swift does not import macros that call macros: AVERROR_EOF is FFERRTAG('E', 'O', 'F', ' ').
static inline int shoebox_averror_eof(void) { return AVERROR_EOF; }
/// See above; refuses to open other files that a file refers to.
static inline int shoebox_averror_access(void) { return AVERROR(EACCES); }
/// See above.
static inline int shoebox_averror_no_memory(void) { return AVERROR(ENOMEM); }
/// See above.
static inline int shoebox_averror_patch_welcome(void) { return AVERROR_PATCHWELCOME; }
/// See above; returned by decoders, filters and encoders that need more input.
static inline int shoebox_averror_again(void) { return AVERROR(EAGAIN); }
/// See above.
static inline int shoebox_averror_decoder_missing(void) { return AVERROR_DECODER_NOT_FOUND; }
/// See above; for an `errno`.
static inline int shoebox_averror(int error) { return AVERROR(error); }
/// The field's name changed with libavutil 57.30.
static inline int64_t shoebox_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}
/// AV_NOPTS_VALUE casts through a 64-bit literal that Swift does not import.
static inline int64_t shoebox_no_timestamp(void) { return AV_NOPTS_VALUE; }
/// AV_TIME_BASE units as a number: the macro is an int, times are doubles here.
static inline double shoebox_seconds(int64_t microseconds) {
  return (double)microseconds / AV_TIME_BASE;
}

#endif
