/* SPDX-License-Identifier: MIT */
#include "fit/pd-fit-model.h"
#include "fit/pd-fit-network.h"
#include "fit/pd-fit-software.h"

#include <math.h>
#include <string.h>

void
pd_fit_append_number (GString *out, const char *name, gdouble number, const char *unit)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.7g", number);
  g_string_append_printf (out, " %s=\"%s%s\"", name, text, unit);
}

void
pd_fit_append_time (GString *out, const char *name, gdouble seconds)
{
  pd_fit_append_number (out, name, round (seconds * 1e12) / 1e6, "us");
}

/* ---- which algorithms the MPI measured has */

static const struct
{
  const char *word;
  const char *set;
} libraries[] = {
  { "Open MPI", "openmpi4" },
  { "MPICH", "mpich4" },
};

static const char *
find_collectives (const PdFitData *data, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (libraries); i++)
    if (strstr (data->mpi, libraries[i].word) != NULL)
      return libraries[i].set;
  g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA,
               "measured with '%s', neither MPICH nor Open MPI: say with --collectives whose "
               "algorithms its operations have",
               data->mpi);
  return NULL;
}

/* ---- elements */

static void
append_size (GString *out, const char *name, gint64 bytes)
{
  g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT "B\"", name, bytes);
}

static void
write_lines (const PdFitModel *self, GString *out)
{
  static const char *const names[] = { "memory", "network" };

  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    for (guint i = 0; self->lines[level] != NULL && i < self->lines[level]->lines->len; i++)
      {
        const PdFitLine *line = &g_array_index (self->lines[level]->lines, PdFitLine, i);
        g_string_append_printf (out, "    <line level=\"%s\"", names[level]);
        append_size (out, "from", line->from);
        append_size (out, "to", line->to);
        pd_fit_append_time (out, "startup", line->startup);
        pd_fit_append_number (out, "per-byte", line->per_byte * 1e9, "ns");
        pd_fit_append_number (out, "residual", line->residual, "");
        g_string_append (out, "/>\n");
      }
}

static void
write_loggp (const PdFitData *data, GString *out)
{
  for (guint i = 0; i < data->loggp->len; i++)
    {
      const PdLogGP *loggp = &g_array_index (data->loggp, PdLogGP, i);
      g_string_append (out, "    <loggp");
      append_size (out, "from", loggp->from_bytes);
      append_size (out, "to", loggp->to_bytes);
      pd_fit_append_time (out, "latency", loggp->latency);
      pd_fit_append_time (out, "send", loggp->send);
      pd_fit_append_time (out, "receive", loggp->receive);
      pd_fit_append_time (out, "gap", loggp->gap);
      pd_fit_append_number (out, "gap-of-byte", loggp->gap_of_byte * 1e9, "ns");
      g_string_append (out, "/>\n");
    }
}

static void
write_points (const PdFitData *data, GString *out)
{
  for (guint i = 0; i < data->times->len; i++)
    {
      const PdFitTime *time = &g_array_index (data->times, PdFitTime, i);
      g_string_append_printf (out, "    <point what=\"%s\" processes=\"%" G_GINT64_FORMAT "\"",
                              time->what, time->processes);
      if (time->per_node > 0)
        g_string_append_printf (out, " per-node=\"%" G_GINT64_FORMAT "\"", time->per_node);
      append_size (out, "bytes", time->bytes);
      pd_fit_append_time (out, "time", time->time);
      if (!isnan (time->low) && !isnan (time->high))
        {
          pd_fit_append_time (out, "low", time->low);
          pd_fit_append_time (out, "high", time->high);
        }
      g_string_append (out, "/>\n");
    }
}

static gdouble
least_r2 (const PdFitModel *self)
{
  gdouble r2 = 1;

  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    if (self->lines[level] != NULL)
      r2 = MIN (r2, self->lines[level]->r2);
  return r2;
}

static void
write_attribute (GString *out, const char *name, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value != NULL ? value : "", -1);

  if (value != NULL)
    g_string_append_printf (out, " %s=\"%s\"", name, escaped);
}

static void
write_measured (const PdFitModel *self, gdouble operation_r2, GString *out)
{
  const PdFitData *data = self->data;

  g_string_append (out, "  <measured");
  write_attribute (out, "date", data->date);
  write_attribute (out, "host", data->host);
  write_attribute (out, "mpi", data->mpi);
  pd_fit_append_number (out, "transfer-r2", least_r2 (self), "");
  if (operation_r2 > 0)
    pd_fit_append_number (out, "operation-r2", operation_r2, "");
  g_string_append (out, ">\n");
  write_lines (self, out);
  write_loggp (data, out);
  write_points (data, out);
  g_string_append (out, "  </measured>\n");
}

/* Unmeasured values keep their defaults. */
static void
write_library (const PdFitLibrary *library, GString *out)
{
  if (!isnan (library->pack_per_byte))
    {
      pd_fit_append_number (out, "pack-per-byte", library->pack_per_byte * 1e9, "ns");
      pd_fit_append_number (out, "pack-per-run", round (library->pack_per_run * 1e12) / 1e3, "ns");
    }
  if (!isnan (library->touch_per_byte))
    pd_fit_append_number (out, "touch-per-byte", library->touch_per_byte * 1e9, "ns");
}

static void
write_software (const PdFitModel *self, const PdFitSoftware *software, GString *out)
{
  g_string_append (out, "  <software");
  pd_fit_append_time (out, "send-overhead", self->send);
  pd_fit_append_time (out, "recv-overhead", self->receive);
  pd_fit_append_time (out, "wait-overhead", self->wait);
  pd_fit_append_number (out, "copy-per-byte", software->copy_per_byte * 1e9, "ns");
  pd_fit_append_number (out, "reduction-per-byte", software->reduction_per_byte * 1e9, "ns");
  write_library (&self->library, out);
  g_string_append (out, ">\n");
  for (guint i = 0; i < software->n_functions; i++)
    if (software->overheads[i] > 0 || software->per_byte[i] > 0)
      {
        g_string_append_printf (out, "    <function name=\"%s\"", software->functions[i]);
        pd_fit_append_time (out, "overhead", software->overheads[i]);
        if (software->per_byte[i] > 0)
          {
            pd_fit_append_number (out, "per-byte", software->per_byte[i] * 1e9, "ns");
            append_size (out, "from", software->from[i]);
          }
        g_string_append (out, "/>\n");
      }
  g_string_append (out, "  </software>\n");
}

static char *
write_all (PdFitModel *self, const char *set, const PdFitSoftware *software)
{
  const PdFitData *data = self->data;
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<machine");

  write_attribute (out, "name", self->options->name);
  g_autofree char *text = g_markup_printf_escaped (
      "Fitted by predictor machine fit to measurements of predictor-measure on "
      "%s%s%s with %s.",
      data->host != NULL ? data->host : "a machine", data->date != NULL ? ", " : "",
      data->date != NULL ? data->date : "", data->mpi);
  g_string_append_printf (out, " version=\"1\">\n  <description>%s</description>\n", text);
  pd_fit_network_write (self, out);
  g_string_append_printf (out, "  <collectives set=\"%s\"/>\n", set);
  write_software (self, software, out);
  write_measured (self, software->r2, out);
  g_string_append (out, "</machine>\n");
  return g_string_free (out, FALSE);
}

/* ---- the fit */

static gboolean
check_r2 (const PdFitOptions *options, gdouble r2, const char *what, GError **error)
{
  if (r2 >= options->bound || options->force)
    return TRUE;
  g_set_error (
      error, PD_FIT_ERROR, PD_FIT_ERROR_POOR,
      "the model does not fit the %s: R2 is %.3f, less than %.3f; measure again on an idle "
      "machine, or take it nevertheless with --force",
      what, r2, options->bound);
  return FALSE;
}

static gboolean
fit_lines (PdFitModel *self, GError **error)
{
  gboolean any = FALSE;

  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    {
      g_autoptr (GArray) times = pd_fit_data_select (self->data, "ping-pong", level);
      if (times->len == 0)
        continue;
      any = TRUE;
      self->lines[level] = pd_fit_lines_new (times, error);
      if (self->lines[level] == NULL)
        return FALSE;
    }
  if (any && self->options->nodes > 1 && self->lines[PD_FIT_NETWORK] == NULL)
    {
      g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA,
                   "%" G_GINT64_FORMAT " nodes: nothing was measured between hosts",
                   self->options->nodes);
      return FALSE;
    }
  if (any)
    return check_r2 (self->options, least_r2 (self), "transfers", error);
  g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA,
               "there are no transfers of variant 1: measure them with predictor-measure transfer");
  return FALSE;
}

static char *
fit (PdFitModel *self, GError **error)
{
  PdFitSoftware software = { .n_functions = 0 };
  const char *set = self->options->collectives;

  if (set == NULL && (set = find_collectives (self->data, error)) == NULL)
    return NULL;
  if (!pd_fit_network_check (self, error) || !fit_lines (self, error))
    return NULL;
  pd_fit_library_find (self->data, &self->library);
  if (!check_r2 (self->options, self->library.r2, "copies in memory", error))
    return NULL;
  g_autofree char *first = write_all (self, set, &software);
  if (!pd_fit_software_find (first, &software, error)
      || (software.n_functions > 0
          && !check_r2 (self->options, software.r2, "collective operations", error)))
    return NULL;
  return write_all (self, set, &software);
}

char *
pd_fit_description (const PdFitData *data, const PdFitOptions *options, GError **error)
{
  PdFitModel self = { .data = data, .options = options };
  char *text = fit (&self, error);

  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    pd_fit_lines_free (self.lines[level]);
  return text;
}
