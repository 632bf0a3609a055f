#ifndef SHOEBOX_CFFMPEG_SHIM_H
#define SHOEBOX_CFFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Swift does not import macros that call macros: AVERROR_EOF is FFERRTAG('E', 'O', 'F', ' ').
static inline int shoebox_averror_eof(void) { return AVERROR_EOF; }
/// See above; refuses whatever else a file wants to have opened.
static inline int shoebox_averror_access(void) { return AVERROR(EACCES); }
/// See above.
static inline int shoebox_averror_no_memory(void) { return AVERROR(ENOMEM); }
/// See above.
static inline int shoebox_averror_patch_welcome(void) { return AVERROR_PATCHWELCOME; }
/// AV_NOPTS_VALUE casts through a 64-bit literal that Swift does not import.
static inline int64_t shoebox_no_timestamp(void) { return AV_NOPTS_VALUE; }
/// AV_TIME_BASE units as a number: the macro is an int, times are doubles here.
static inline double shoebox_seconds(int64_t microseconds) {
  return (double)microseconds / AV_TIME_BASE;
}

#endif
