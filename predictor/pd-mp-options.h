/* Options of commands that predict message-passing programs, and which kind of
 * program a trace is of.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_OPTIONS_H
#define PD_MP_OPTIONS_H

#include "predictor/pd-common-options.h"
#include "predictor/pd-mp.h"
#include "traces/pd-mp-trace.h"

G_BEGIN_DECLS

#define PD_N_MP_OPTIONS 4

/* --cache means the same to all commands. */
#define PD_CACHE_HELP                                                                              \
  "Folder of parsed message-passing traces, to parse each only once (default: $PREDICTOR_CACHE, "  \
  "if set)"

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
 * pd_mp_parse_flops:
 * @text: the value of --flops: "1Gf", "2.5e9"
 * @flops: (out): operations per second
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if it is no rate.
 */
gboolean pd_mp_parse_flops (const char *text, gdouble *flops, GError **error);

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

/**
 * pd_mp_is_trace:
 * @source: a trace, or the name of several DVM files
 *
 * Looks at its contents. What cannot be read or is not known is left to the DVM
 * reader, which says why.
 *
 * Returns: whether it is a trace of message passing.
 */
gboolean pd_mp_is_trace (const PdTraceSource *source);

G_END_DECLS

#endif
