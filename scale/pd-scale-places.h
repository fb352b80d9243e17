/* A model described place by place of the program, in words and numbers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_PLACES_H
#define PD_SCALE_PLACES_H

#include "scale/pd-scale-model.h"
#include "scale/pd-scale-times.h"

/* A number of a call that is not always the same, or not what it is without being used. */
typedef struct
{
  const char *name; /* "partner"; static */
  const char *how;  /* "rule", "turns": of each repetition, "list": of its entries, "recorded":
                     * as it was recorded; static */
  char *words;      /* owned */
} PdScalePlaceRule;

/* A loop, or a call with the computation in front of it. */
typedef struct
{
  guint class;       /* from 1 */
  guint n_ranks;     /* recorded ones of that class */
  guint depth;       /* loops around it */
  char *times;       /* (nullable): how often it is repeated, in words; %NULL: it is not; owned */
  const char *call;  /* (nullable): "MPI_Isend"; static; %NULL: a loop */
  char *site;        /* "file.c:12", "" if unknown; owned */
  GArray *rules;     /* PdScalePlaceRule */
  gboolean has_time; /* of computation: */
  PdScaleTimes time; /* picoseconds, or operations; of the first repetition, if others differ */
  const GArray *all; /* (element-type PdScaleTimes): of the model: of each group of repetitions */
  gdouble share;     /* of the computation of the largest recording, 0 to 1 */
} PdScalePlace;

/**
 * pd_scale_model_list_places:
 * Returns: (transfer full) (element-type PdScalePlace): the places of all classes, in their order.
 */
GArray *pd_scale_model_list_places (const PdScaleModel *self);

/**
 * pd_scale_model_describe_time:
 * Returns: (transfer full): the time of @place as a formula: "4 +2.5 P^-1 us"; if repetitions
 * differ, those of the first ones, one after the other, then that of the others.
 */
char *pd_scale_model_describe_time (const PdScaleModel *self, const PdScalePlace *place);

/**
 * pd_scale_model_describe_approximation:
 * @number: (out): "bytes", in words; static
 * @how: (out): "nearest" or "drawn"; static
 *
 * Returns: (transfer full): the call that @one is about: "MPI_Send at file.c:12".
 */
char *pd_scale_model_describe_approximation (const PdScaleModel *self,
                                             const PdScaleApproximation *one, const char **number,
                                             const char **how);

/**
 * pd_scale_model_get_arrangement:
 * @classes: (out) (transfer none): the property by which ranks are divided, in words
 *
 * Returns: (transfer none): how ranks are arranged, in words.
 */
const char *pd_scale_model_get_arrangement (const PdScaleModel *self, const char **classes);

/**
 * pd_scale_model_get_unit:
 * Returns: what computation is measured in.
 */
PdAmountUnit pd_scale_model_get_unit (const PdScaleModel *self);

#endif
