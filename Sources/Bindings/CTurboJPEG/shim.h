#ifndef SHOEBOX_CTURBOJPEG_SHIM_H
#define SHOEBOX_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
