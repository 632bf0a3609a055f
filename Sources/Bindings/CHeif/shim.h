#ifndef SHOEBOX_CHEIF_SHIM_H
#define SHOEBOX_CHEIF_SHIM_H

#include <libheif/heif.h>

#if !LIBHEIF_HAVE_VERSION(1, 19, 0)
#error "libheif 1.19 or later is needed: older ones cannot open pictures of iOS 18."
#endif

/// Auxiliary images of every kind. The filter's constants are macros with casts in some versions.
static inline int shoebox_heif_every_auxiliary_image(void) { return 0; }

#endif
