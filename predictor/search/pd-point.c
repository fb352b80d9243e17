/* The parameters of a point.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-point-private.h"

#include "predictor/common/pd-clean-options.h"
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/common/pd-rts.h"
#include "predictor/scaled/pd-scaled.h"
#include "traces/open/pd-trace-folder.h"

#include <string.h>

void
pd_point_clear (PdStudyPoint *self)
{
  g_clear_pointer (&self->ratios, g_ptr_array_unref);
  g_clear_pointer (&self->settings, g_ptr_array_unref);
  g_clear_pointer (&self->rts, g_ptr_array_unref);
}

static gboolean
refuse (const char *name, const char *value, const char *expected, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s '%s': expected %s", name, value, expected);
  return FALSE;
}

static gboolean
read_trace (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  (void) name, (void) error;
  point->trace = pd_trace_find_recording (value);
  return TRUE;
}

static gboolean
read_machine (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  (void) name, (void) error;
  point->machine = value;
  return TRUE;
}

static gboolean
read_count (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  g_autoptr (GArray) counts = pd_counts_parse (value, 1, error);

  if (counts == NULL)
    return FALSE;
  if (counts->len != 1)
    return refuse (name, value, "one grid", error);
  point->count = g_array_index (counts, PdCount, 0);
  return TRUE;
}

static gboolean
read_map (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  (void) name, (void) error;
  point->map = value;
  return TRUE;
}

/* "cpu-ratio", and "cpu-ratio/FILE:LINE" */
static gboolean
read_ratio (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  const char *place = strchr (name, '/');

  (void) error;
  g_ptr_array_add (point->ratios,
                   place == NULL ? g_strdup (value) : g_strdup_printf ("%s=%s", place + 1, value));
  return TRUE;
}

static gboolean
read_flops (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  point->only_mp = name;
  return pd_mp_parse_flops (value, &point->flops, error);
}

static gboolean
read_seed (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  return g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, &point->seed, NULL)
         || refuse (name, value, "a number from 0 to 2^64 - 1", error);
}

/* Which of two words. */
static gboolean
read_choice (const char *name, const char *value, const char *const words[2], gboolean *is_second,
             GError **error)
{
  g_autofree char *expected = g_strdup_printf ("%s or %s", words[0], words[1]);

  *is_second = strcmp (value, words[1]) == 0;
  return *is_second || strcmp (value, words[0]) == 0 || refuse (name, value, expected, error);
}

static gboolean
read_wildcards (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  static const char *const words[2] = { "recorded", "simulated" };

  point->only_mp = name;
  return read_choice (name, value, words, &point->simulated, error);
}

static gboolean
read_startup (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  static const char *const words[2] = { "drop", "keep" };

  point->only_dvm = name;
  return read_choice (name, value, words, &point->dvm.keep_startup, error);
}

static gboolean
read_clean (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  point->only_dvm = name;
  return pd_clean_options_set (&point->clean, name, value, error);
}

static gboolean
read_blocks (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  (void) error;
  point->only_dvm = name;
  point->blocks = value;
  return TRUE;
}

static const char *const off_or_on[2] = { "off", "on" };

static gboolean
read_weights (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  point->only_dvm = name;
  return read_choice (name, value, off_or_on, &point->dvm.weights_from_speed, error);
}

static gboolean
read_split (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  point->only_dvm = name;
  return read_choice (name, value, off_or_on, &point->dvm.no_comm_split, error);
}

static gboolean
read_across (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  point->only_dvm = name;
  return read_choice (name, value, off_or_on, &point->dvm.across_tc_known, error);
}

/* "rts/KEY" */
static gboolean
read_rts (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  (void) error;
  point->only_dvm = name;
  g_ptr_array_add (point->rts, g_strdup_printf ("%s=%s", name + strlen ("rts/"), value));
  return TRUE;
}

/* All other names are paths of the machine description. */
static const struct
{
  const char *name;
  gboolean begins; /* names that begin so */
  gboolean (*read) (PdStudyPoint *point, const char *name, const char *value, GError **error);
} parameters[] = {
  { "trace", FALSE, read_trace },
  { "machine", FALSE, read_machine },
  { "procs", FALSE, read_count },
  { "map", FALSE, read_map },
  { "cpu-ratio", FALSE, read_ratio },
  { "cpu-ratio/", TRUE, read_ratio },
  { "flops", FALSE, read_flops },
  { "seed", FALSE, read_seed },
  { "wildcards", FALSE, read_wildcards },
  { "startup", FALSE, read_startup },
  { "clamped", FALSE, read_clean },
  { "outliers", FALSE, read_clean },
  { "recorder-cost", FALSE, read_clean },
  { "blocks", FALSE, read_blocks },
  { "weights-from-speed", FALSE, read_weights },
  { "no-comm-split", FALSE, read_split },
  { "across-tc-known", FALSE, read_across },
  { "rts/", TRUE, read_rts },
};

/* Its row, or the number of rows. */
static gsize
find_parameter (const char *name)
{
  gsize i = 0;

  while (i < G_N_ELEMENTS (parameters)
         && (parameters[i].begins ? !g_str_has_prefix (name, parameters[i].name)
                                  : strcmp (name, parameters[i].name) != 0))
    i++;
  return i;
}

static gboolean
read_parameter (PdStudyPoint *point, const char *name, const char *value, GError **error)
{
  gsize i = find_parameter (name);

  if (i < G_N_ELEMENTS (parameters))
    return parameters[i].read (point, name, value, error);
  g_ptr_array_add (point->settings, g_strdup_printf ("%s=%s", name, value));
  return TRUE;
}

static void
point_init (PdStudyPoint *point)
{
  point->machine = "ideal";
  point->ratios = g_ptr_array_new_with_free_func (g_free);
  point->settings = g_ptr_array_new_with_free_func (g_free);
  point->rts = g_ptr_array_new_with_free_func (g_free);
}

/* The lists end with NULL then. */
static gboolean
point_finish (PdStudyPoint *point, GError **error)
{
  g_ptr_array_add (point->ratios, NULL);
  g_ptr_array_add (point->settings, NULL);
  g_ptr_array_add (point->rts, NULL);
  return pd_rts_parse ((const char *const *) point->rts->pdata, &point->dvm, error);
}

gboolean
pd_point_read (PdStudyPoint *point, const PdStudy *study, gint64 number, GError **error)
{
  const GArray *fixed = pd_study_get_parameters (study);

  point_init (point);
  for (guint i = 0; i < fixed->len; i++)
    {
      const PdParameter *p = &g_array_index (fixed, PdParameter, i);
      if (!read_parameter (point, p->name, p->value, error))
        return FALSE;
    }
  for (guint i = 0; i < pd_study_get_n_axes (study); i++)
    if (!read_parameter (point, pd_study_get_axis (study, i)->name,
                         pd_study_get_text (study, number, i), error))
      return FALSE;
  if (point->trace != NULL)
    return point_finish (point, error);
  g_set_error (error, PD_USAGE_ERROR, 0, "a study needs a trace: the parameter 'trace'");
  return FALSE;
}

gboolean
pd_point_check_value (const char *name, const char *value, GError **error)
{
  g_auto (PdStudyPoint) point = { .trace = NULL };
  g_autoptr (PdCpuRatios) ratios = NULL;

  point_init (&point);
  if (!read_parameter (&point, name, value, error) || !point_finish (&point, error))
    return FALSE;
  ratios = pd_cpu_ratios_parse ((const char *const *) point.ratios->pdata, error);
  return ratios != NULL;
}

void
pd_point_trace_add_to (const PdPointTrace *self, PdReportRun *run)
{
  pd_messages_add_all (run->messages, self->messages);
  if (self->maker != NULL)
    pd_scaled_widen (self->maker, run->range);
}
