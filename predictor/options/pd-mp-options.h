/* Options of commands that predict message-passing programs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_OPTIONS_H
#define PD_MP_OPTIONS_H

#include "predictor/options/pd-common-options.h"
#include "predictor/mp/pd-mp.h"
#include "traces/graph/pd-mp-trace.h"

#define PD_N_MP_OPTIONS 4

/* --cache means the same to all commands. */
#define PD_CACHE_HELP                                                                              \
  "Folder of parsed message-passing traces, to parse each only once (default: $PREDICTOR_CACHE, "  \
  "if set)"

/* An option that means nothing for a kind of programs. */
typedef struct
{
  const char *option;
  gboolean given;
} PdRefusedOption;

/**
 * pd_options_refuse:
 * @options: (array length=n): those that are refused
 * @of: the kind of program, "DVM"
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if one of @options was given.
 */
gboolean pd_options_refuse (const PdRefusedOption *options, gsize n, const char *of,
                            GError **error);

/* All zero at first. */
typedef struct
{
  char *flops_text;
  char *wildcards;
  gboolean reproduce;
  char *cache;
  /* what they mean, after pd_mp_cli_options_check() */
  gdouble flops; /* 0 = not given */
  gboolean simulated;
} PdMpCliOptions;

/**
 * pd_mp_cli_options_fill:
 * @self: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_N_MP_OPTIONS options and an end,
 *   for pd_command_parse_tables()
 */
void pd_mp_cli_options_fill (PdMpCliOptions *self, GOptionEntry *entries);

/**
 * pd_mp_cli_options_check:
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if a value is wrong.
 */
gboolean pd_mp_cli_options_check (PdMpCliOptions *self, GError **error);

/**
 * pd_mp_cli_options_check_none:
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if one was given: the trace is of a DVM program.
 */
gboolean pd_mp_cli_options_check_none (const PdMpCliOptions *self, GError **error);

/**
 * pd_mp_check_model_options:
 * @model: options of DVM programs, too
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if one was given that means nothing for a message-passing
 *   program.
 */
gboolean pd_mp_check_model_options (const PdModelOptions *model, GError **error);

/**
 * pd_mp_cli_options_clear:
 * Releases what @self holds.
 */
void pd_mp_cli_options_clear (PdMpCliOptions *self);

#endif
