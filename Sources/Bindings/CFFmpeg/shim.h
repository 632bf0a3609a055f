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
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Swift does not import macros that call macros: AVERROR_EOF is FFERRTAG('E', 'O', 'F', ' ').
static inline int shoebox_averror_eof(void) { return AVERROR_EOF; }
/// Invalid data.
static inline int shoebox_averror_invalid_data(void) { return AVERROR_INVALIDDATA; }
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
/// See above.
static inline void shoebox_set_frame_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  frame->duration = duration;
#else
  frame->pkt_duration = duration;
#endif
}
/// AV_NOPTS_VALUE casts through a 64-bit literal that Swift does not import.
static inline int64_t shoebox_no_timestamp(void) { return AV_NOPTS_VALUE; }
/// AV_TIME_BASE units as a number: the macro is an int, times are doubles here.
static inline double shoebox_seconds(int64_t microseconds) {
  return (double)microseconds / AV_TIME_BASE;
}

// Side data of a stream, such as a display matrix: since FFmpeg 6.1 (libavformat 60.15) it is in the codec parameters.
// FFmpeg 7 copies it to AVStream only when it examines the packets, too.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
static inline int shoebox_side_data_count(const AVStream *stream) {
  return stream->codecpar->nb_coded_side_data;
}
static inline const AVPacketSideData *shoebox_side_data(const AVStream *stream, int index) {
  return &stream->codecpar->coded_side_data[index];
}
/// Null if the stream has none of that type.
static inline const uint8_t *shoebox_find_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
  const AVPacketSideData *found = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = found ? found->size : 0;
  return found ? found->data : NULL;
}
/// Replaces side data of the same type. Null if memory is exhausted.
static inline uint8_t *shoebox_new_side_data(
    AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  AVPacketSideData *made = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
  return made ? made->data : NULL;
}
#else
static inline int shoebox_side_data_count(const AVStream *stream) { return stream->nb_side_data; }
static inline const AVPacketSideData *shoebox_side_data(const AVStream *stream, int index) {
  return &stream->side_data[index];
}
/// Null if the stream has none of that type.
static inline const uint8_t *shoebox_find_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
  return av_stream_get_side_data(stream, type, size);
}
/// Replaces side data of the same type. Null if memory is exhausted.
static inline uint8_t *shoebox_new_side_data(
    AVStream *stream, enum AVPacketSideDataType type, size_t size) {
  return av_stream_new_side_data(stream, type, size);
}
#endif

// libswscale's flags have a type of their own since FFmpeg 8, and its context is no longer opaque.
static inline int shoebox_bicubic(void) { return SWS_BICUBIC; }
static inline int shoebox_lanczos(void) { return SWS_LANCZOS; }
static inline int shoebox_area(void) { return SWS_AREA; }
/// Rounds exactly, and keeps the chroma of every sample.
static inline int shoebox_exact_scaling(void) {
  return SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
}
/// Null if memory is exhausted.
static inline void *shoebox_scaler(void) { return sws_alloc_context(); }
static inline int shoebox_scaler_start(void *scaler) {
  return sws_init_context((struct SwsContext *)scaler, NULL, NULL);
}
static inline void shoebox_scaler_free(void *scaler) { sws_freeContext((struct SwsContext *)scaler); }
/// The matrix and range of YCbCr that is read; results have that of JFIF.
static inline void shoebox_scaler_set_matrix(void *scaler, int matrix, int is_full_range) {
  sws_setColorspaceDetails(
      (struct SwsContext *)scaler, sws_getCoefficients(matrix), is_full_range,
      sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16);
}
static inline int shoebox_scaler_run(
    void *scaler, const uint8_t *const planes[], const int strides[], int height,
    uint8_t *const target_planes[], const int target_strides[]) {
  return sws_scale(
      (struct SwsContext *)scaler, planes, strides, 0, height, target_planes, target_strides);
}

#endif
