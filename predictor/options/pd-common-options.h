/* Options of predictor run and similar commands: the speed of processors,
 * the protocol of their actions, and the model of the program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMMON_OPTIONS_H
#define PD_COMMON_OPTIONS_H

#include "predictor/dvm/predict/pd-predict.h"

#define PD_N_COMMON_OPTIONS 5

/* All zero at first. */
typedef struct
{
  /* as they were given */
  char **ratio_texts;
  char *seed_text;
  char *log_path;
  char *log_processors;
  char *log_records;
  /* what they mean, after pd_common_options_check() */
  PdCpuRatios *ratios;
  guint64 seed;
} PdCommonOptions;

/**
 * pd_common_options_fill:
 * @self: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_N_COMMON_OPTIONS options and
 *   an end, for pd_command_parse_tables()
 */
void pd_common_options_fill (PdCommonOptions *self, GOptionEntry *entries);

/**
 * pd_common_options_check:
 * @verbosity: how often -v was given
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if a value is wrong.
 */
gboolean pd_common_options_check (PdCommonOptions *self, guint verbosity, GError **error);

/**
 * pd_common_options_open_log:
 * @verbosity: how often -v was given; from 2 on the protocol goes to standard
 *   error, too
 * @log: (out) (nullable): the protocol; %NULL if none is wanted
 * @error: return location for the errors of pd_log_new()
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_common_options_open_log (const PdCommonOptions *self, guint verbosity, PdLog **log,
                                     GError **error);

/**
 * pd_common_options_clear:
 * Releases what @self holds.
 */
void pd_common_options_clear (PdCommonOptions *self);

#define PD_N_MODEL_OPTIONS 11

/* How the program is modelled; all zero at first. */
typedef struct
{
  char **settings;
  char **rts;
  char *map;
  char *startup;
  char *clamped;
  char *outliers;
  char *recorder_cost;
  char *blocks_path;
  gboolean no_comm_split;
  gboolean across_tc_known;
  gboolean weights_from_speed;
  /* what they mean, after pd_model_options_check() */
  PdBlockFile *blocks;
} PdModelOptions;

/**
 * pd_model_options_fill:
 * @self: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_N_MODEL_OPTIONS options and an
 *   end, for pd_command_parse_tables()
 */
void pd_model_options_fill (PdModelOptions *self, GOptionEntry *entries);

/**
 * pd_model_options_check:
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if a value is wrong.
 */
gboolean pd_model_options_check (const PdModelOptions *self, GError **error);

/**
 * pd_model_options_apply:
 * @options: (inout): of a prediction; borrows from @self
 * @error: return location for the errors of pd_block_file_new()
 *
 * Reads what the options name, and hands all of it on.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_model_options_apply (PdModelOptions *self, PdPredictOptions *options, GError **error);

/**
 * pd_model_options_clear:
 * Releases what @self holds.
 */
void pd_model_options_clear (PdModelOptions *self);

#endif
