/* The origin of a model, and how well it is supported: names of recordings, messages of reading
 * them, and the comparison of the largest recording with the program that the others make.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_ORIGIN_H
#define PD_SCALE_ORIGIN_H

#include "base/pd-messages.h"
#include "base/pd-time.h"
#include "scale/pd-scale-compare.h"

typedef struct
{
  char *name; /* owned */
  guint32 n_ranks;
  PdTime time; /* of the recorded run; %PD_TIME_PENDING: not known */
} PdScaleRecording;

/* An interval of the largest recording: the longest time of a rank in it, on the machine of the
 * validation. */
typedef struct
{
  char *name; /* owned */
  guint32 depth;
  PdTime recorded;    /* as the recording has it */
  PdTime synthesized; /* as the smaller ones give it */
} PdScaleInterval;

/* The test of the rules of the smaller recordings on the largest one. */
typedef struct
{
  guint32 n_ranks; /* 0: there are no smaller ones that give it */
  PdScaleComparison calls;
  char *machine;      /* as for pd_machine_load(): "ideal", its network costs nothing; owned */
  PdTime recorded;    /* run time there */
  PdTime synthesized; /* likewise; 0 = it cannot be predicted */
  GArray *intervals;  /* PdScaleInterval: those that both have; in preorder */
} PdScaleValidation;

typedef struct
{
  GArray *recordings; /* PdScaleRecording */
  PdMessages *messages;
  PdScaleValidation validation;
} PdScaleOrigin;

/**
 * pd_scale_origin_init:
 * @self: (out caller-allocated): nothing is known
 */
void pd_scale_origin_init (PdScaleOrigin *self);

/**
 * pd_scale_origin_clear:
 * Frees what @self holds.
 */
void pd_scale_origin_clear (PdScaleOrigin *self);

/**
 * pd_scale_validation_get_error:
 * Returns: the relative error of the run time that the smaller recordings give; 0 = none, or not
 *   known.
 */
gdouble pd_scale_validation_get_error (const PdScaleValidation *self);

#endif
