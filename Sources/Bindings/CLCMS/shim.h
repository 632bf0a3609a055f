#ifndef SHOEBOX_CLCMS_SHIM_H
#define SHOEBOX_CLCMS_SHIM_H

#include <lcms2.h>
#include <stdio.h>

/// The size of the buffer for an error message, with its final 0.
static inline int shoebox_lcms_message_size(void) { return 240; }

/// Keeps the first error of a context, which is the cause of the others.
static inline void shoebox_lcms_keep_error(cmsContext context, cmsUInt32Number code,
                                           const char *text) {
  char *message = (char *)cmsGetContextUserData(context);
  if (message && text && !message[0])
    snprintf(message, (size_t)shoebox_lcms_message_size(), "%s", text);
}

/// A context whose first error is written to `message`.
static inline cmsContext shoebox_lcms_context(char *message) {
  cmsContext context = cmsCreateContext(NULL, message);
  if (context) cmsSetLogErrorHandlerTHR(context, shoebox_lcms_keep_error);
  return context;
}

// Swift does not import macros with parameters.

/// The code of a pixel format with interleaved channels.
///
/// - extra: channels after the colours that a conversion ignores.
/// - inverted: whether 0 is the most of an ink.
static inline cmsUInt32Number shoebox_lcms_format(cmsUInt32Number space, cmsUInt32Number channels,
                                                  cmsUInt32Number extra, cmsUInt32Number bytes,
                                                  cmsUInt32Number inverted) {
  return COLORSPACE_SH(space) | CHANNELS_SH(channels) | EXTRA_SH(extra) | BYTES_SH(bytes) |
         FLAVOR_SH(inverted);
}

/// The curve of sRGB (IEC 61966-2-1).
static inline cmsToneCurve *shoebox_lcms_srgb_curve(cmsContext context) {
  const cmsFloat64Number numbers[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return cmsBuildParametricToneCurve(context, 4, numbers);
}

/// Grey with the curve of sRGB and the white of profiles.
static inline cmsHPROFILE shoebox_lcms_srgb_gray(cmsContext context) {
  cmsToneCurve *curve = shoebox_lcms_srgb_curve(context);
  if (!curve) return NULL;
  cmsHPROFILE profile = cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve);
  cmsFreeToneCurve(curve);
  return profile;
}

/// RGB of these primaries.
///
/// - numbers: CIE x and y of white, red, green and blue.
/// - exponent: from stored values to light; 0 for the curve of sRGB.
static inline cmsHPROFILE shoebox_lcms_rgb(cmsContext context, const cmsFloat64Number numbers[8],
                                           cmsFloat64Number exponent, const char *name) {
  const cmsCIExyY white = {numbers[0], numbers[1], 1};
  const cmsCIExyYTRIPLE primaries = {
      {numbers[2], numbers[3], 1}, {numbers[4], numbers[5], 1}, {numbers[6], numbers[7], 1}};
  cmsToneCurve *curve =
      exponent > 0 ? cmsBuildGamma(context, exponent) : shoebox_lcms_srgb_curve(context);
  if (!curve) return NULL;
  cmsToneCurve *curves[3] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
  cmsFreeToneCurve(curve);
  if (!profile) return NULL;
  cmsMLU *text = cmsMLUalloc(context, 1);
  if (text && cmsMLUsetASCII(text, "en", "US", name))
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
  if (text) cmsMLUfree(text);
  return profile;
}

#endif
