/* What went wrong, in words: the recorder has no GLib.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_ERROR_H
#define PD_REC_ERROR_H

typedef struct
{
  char text[640]; /* "" = nothing */
} PdRecError;

/**
 * pd_rec_fail: notes the first error; later ones follow from it. Always returns -1.
 */
int pd_rec_fail (PdRecError *error, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

#endif
