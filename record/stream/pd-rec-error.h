/* Errors in words: the recorder has no GLib.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_ERROR_H
#define PD_REC_ERROR_H

typedef struct
{
  char text[640]; /* "" = nothing */
} PdRecError;

#endif
