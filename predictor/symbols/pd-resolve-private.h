/* An archive on its way from addresses to lines. Internal to predictor/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESOLVE_PRIVATE_H
#define PD_RESOLVE_PRIVATE_H

#include "predictor/symbols/pd-resolve.h"
#include "predictor/symbols/pd-source-lines.h"

#include <otf2/otf2.h>

/* Where an address is in the source. */
typedef struct
{
  char *function;
  char *file;
  guint32 line;
} PdPlaceInSource;

typedef struct
{
  const char *path;
  PdRecordedInfo *info;
  PdSourceLines *lines;
  GHashTable *texts;            /* reference -> text, as it was read */
  GHashTable *places;           /* region -> PdPlaceInSource* */
  GHashTable *source_locations; /* reference -> { string, line } of before */
  GHashTable *written;          /* references of those already written */
  GArray *locations;            /* OTF2_LocationRef */
  OTF2_GlobalDefWriter *out;    /* (nullable): while it is only looked through */
  GHashTable *numbers;          /* text -> number in the written archive */
  gboolean failed;
} PdRewriter;

#endif
