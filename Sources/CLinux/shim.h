#ifndef SHOEBOX_CLINUX_SHIM_H
#define SHOEBOX_CLINUX_SHIM_H

#include <stddef.h>
#include <sys/types.h>

// The C library declares these only to programs that ask for GNU extensions before its first header,
// which no Swift program can; they are there all the same.

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name,
              unsigned int flags);
ssize_t copy_file_range(int in, __off64_t *in_offset, int out, __off64_t *out_offset, size_t count,
                        unsigned int flags);
int sync_file_range(int descriptor, __off64_t offset, __off64_t count, unsigned int flags);

#endif
