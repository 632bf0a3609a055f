#ifndef SHOEBOX_CHEIF_SHIM_H
#define SHOEBOX_CHEIF_SHIM_H

#include <libheif/heif.h>

#if !LIBHEIF_HAVE_VERSION(1, 19, 0)
#error "libheif 1.19 or later is needed: older ones cannot open pictures of iOS 18."
#endif

/// Auxiliary images of every kind. The filter's constants are macros with casts in some versions.
static inline int shoebox_heif_every_auxiliary_image(void) { return 0; }

/// The chroma format of grey pictures. It is a macro in some versions, which Swift does not import.
static inline enum heif_chroma shoebox_heif_chroma_monochrome(void) { return heif_chroma_monochrome; }

#endif
