/* Shared declarations of the files of points.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_PRIVATE_H
#define PD_POINT_PRIVATE_H

#include "predictor/common/pd-counts.h"
#include "predictor/dvm/handlers/pd-dvm.h"
#include "predictor/range/pd-range-mp.h"
#include "sweep/study/pd-study-db.h"
#include "sweep/run/pd-worker.h"
#include "traces/dvm/pd-dvm-cleaning.h"
#include "scale/pd-scale-model.h"
#include "traces/graph/pd-mp-trace.h"

/* All parameters of one point, taken apart. Texts are borrowed from the study. */
typedef struct
{
  const char *trace;
  const char *machine;
  PdCount count; /* rank 0 = not given */
  const char *map;
  GPtrArray *ratios;   /* char*, owned, and a last NULL: of pd_cpu_ratios_parse() */
  GPtrArray *settings; /* likewise: "path=value" */
  GPtrArray *rts;      /* likewise: "key=value" */
  PdDvmOptions dvm;    /* without its blocks */
  PdDvmCleanOptions clean;
  const char *blocks;
  guint64 seed;
  gdouble flops; /* 0 = not given */
  gboolean simulated;
  const char *only_dvm; /* (nullable): a parameter that means nothing for other programs */
  const char *only_mp;
} PdStudyPoint;

/* The values of point @number of @study. @point is zero before. */
gboolean pd_point_read (PdStudyPoint *point, const PdStudy *study, gint64 number, GError **error);

void pd_point_clear (PdStudyPoint *self);

/* Whether @value has the form that values of @name have; of paths of the machine
 * description nothing is known here. */
gboolean pd_point_check_value (const char *name, const char *value, GError **error);

/* A trace as workers keep it. */
typedef struct
{
  PdMpTrace *mp;                /* of message passing; NULL: of a DVM program */
  PdRangeRecorded computations; /* of @mp */
  PdScaleModel *model;          /* (nullable): of a file of 'predictor scale', which has neither */
  PdScaleModel *maker;          /* (nullable) borrowed: has made @mp on the ranks of the point */
  PdMessages *messages;         /* of reading or making that, for each run of it */
  char *path;                   /* of a DVM program: what to open; */
  GBytes *bytes;                /* (nullable) its contents, decompressed */
  PdCount recorded;             /* and the grid that it was recorded on */
} PdPointTrace;

/* Adds messages of the trace, and how sure the program of a model is, to @run, which was predicted
 * from it with its range. */
void pd_point_trace_add_to (const PdPointTrace *self, PdReportRun *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdStudyPoint, pd_point_clear)

#endif
