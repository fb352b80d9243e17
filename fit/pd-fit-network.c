/* The network of a description, by its type.
 * SPDX-License-Identifier: MIT */
#include "fit/pd-fit-model.h"

#include "comsys/machine/pd-points.h"
#include "fit/pd-fit-network.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS 64
#define LEAST_TIME  1e-9 /* of the bytes of a message, s: so that factors stay numbers */

static const char *const level_names[] = { "memory", "network" };

/* ---- the type "contention": tables as measured */

/* Of a level: the time of a message alone, what of it depends on the size, and how much
 * longer that takes with others. */
typedef struct
{
  PdFitModel *model;
  PdFitLevel level;
  GArray *alone;     /* PdFitTime */
  GArray *exchanges; /* PdFitTime: both ways at the same time */
  gdouble startup;
  gint64 columns[MAX_COLUMNS]; /* cf, but 1 */
  guint n_columns;
} Table;

static const PdFitTime *
nearest (const GArray *times, gint64 bytes)
{
  const PdFitTime *best = NULL;
  gdouble least = INFINITY;

  for (guint i = 0; i < times->len; i++)
    {
      const PdFitTime *time = &g_array_index (times, PdFitTime, i);
      gdouble distance = fabs (log (((gdouble) time->bytes + 1) / ((gdouble) bytes + 1)));
      if (distance < least)
        {
          least = distance;
          best = time;
        }
    }
  return best;
}

/* Nearest in size of those with that cf. */
static const PdFitShared *
nearest_shared (const Table *self, gint64 bytes, gint64 sharing)
{
  const GArray *shared = self->model->data->shared;
  const PdFitShared *best = NULL;
  gdouble least = INFINITY;

  for (guint i = 0; i < shared->len; i++)
    {
      const PdFitShared *one = &g_array_index (shared, PdFitShared, i);
      gdouble distance = fabs (log (((gdouble) one->bytes + 1) / ((gdouble) bytes + 1)));
      if (strcmp (one->level, level_names[self->level]) == 0 && one->sharing == sharing
          && distance < least)
        {
          least = distance;
          best = one;
        }
    }
  return best;
}

/* The part of the time of a single message that depends on its size. */
static gdouble
get_transfer (const Table *self, gint64 bytes)
{
  return MAX (nearest (self->alone, bytes)->time - self->startup, LEAST_TIME);
}

/* Within a node both messages of an exchange are there at the same time; between nodes
 * each has its direction for itself. */
static gdouble
get_factor (const Table *self, gint64 bytes, gint64 cf)
{
  const PdFitShared *shared = nearest_shared (self, bytes, cf);
  const PdFitShared *single = nearest_shared (self, bytes, 1);
  const PdFitTime *exchange = nearest (self->exchanges, bytes);

  if (self->level == PD_FIT_NETWORK)
    return shared != NULL && single != NULL ? shared->time / single->time : 1;
  if (cf == 2 && exchange != NULL)
    return (exchange->time - self->model->wait - self->startup)
           / get_transfer (self, exchange->bytes);
  return shared != NULL ? (2 * shared->time - self->model->wait - self->startup)
                              / get_transfer (self, shared->bytes)
                        : 1;
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

static void
add_column (Table *self, gint64 cf)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i] == cf)
      return;
  if (cf < 2 || self->n_columns + 1 >= MAX_COLUMNS)
    return;
  self->columns[self->n_columns++] = cf;
  qsort (self->columns, self->n_columns, sizeof *self->columns, compare_columns);
}

static void
find_columns (Table *self)
{
  const GArray *shared = self->model->data->shared;

  if (self->level == PD_FIT_MEMORY && self->exchanges->len > 0)
    add_column (self, 2);
  for (guint i = 0; i < shared->len; i++)
    {
      const PdFitShared *one = &g_array_index (shared, PdFitShared, i);
      if (strcmp (one->level, level_names[self->level]) == 0)
        add_column (self, one->sharing);
    }
}

/* A message is never faster for others being there. */
static void
write_row (const Table *self, gint64 bytes, GString *out)
{
  gdouble factor = 1;

  g_string_append_printf (out, "      <row size=\"%" G_GINT64_FORMAT "B\"", bytes);
  pd_fit_append_time (out, "time", get_transfer (self, bytes));
  for (guint i = 0; i < self->n_columns; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      factor = MAX (factor, get_factor (self, bytes, self->columns[i]));
      g_ascii_formatd (number, sizeof number, "%.5g", factor);
      g_string_append_printf (out, "%s%s", i == 0 ? " factors=\"" : ":", number);
    }
  g_string_append_printf (out, "%s/>\n", self->n_columns > 0 ? "\"" : "");
}

static void
write_table (PdFitModel *model, PdFitLevel level, gdouble startup, GString *out)
{
  Table self = { .model = model, .level = level, .startup = startup };

  self.alone = pd_fit_data_select (model->data, "ping-pong", level);
  self.exchanges = pd_fit_data_select (model->data, "sendrecv", level);
  if (self.exchanges->len == 0)
    {
      g_array_unref (self.exchanges);
      self.exchanges = pd_fit_data_select (model->data, "isend-irecv", level);
    }
  find_columns (&self);
  g_string_append_printf (out, "    <table level=\"%s\" cf=\"1", level_names[level]);
  for (guint i = 0; i < self.n_columns; i++)
    g_string_append_printf (out, ":%" G_GINT64_FORMAT, self.columns[i]);
  g_string_append (out, "\">\n");
  for (guint i = 0; i < self.alone->len; i++)
    {
      const PdFitTime *time = &g_array_index (self.alone, PdFitTime, i);
      if (time->bytes > 0)
        write_row (&self, time->bytes, out);
    }
  g_string_append (out, "    </table>\n");
  g_array_unref (self.alone);
  g_array_unref (self.exchanges);
}

/* ---- what types share */

static gdouble
get_least (const PdFitData *data, const char *what, PdFitLevel level)
{
  g_autoptr (GArray) times = pd_fit_data_select (data, what, level);
  gdouble least = INFINITY;

  for (guint i = 0; i < times->len; i++)
    least = MIN (least, g_array_index (times, PdFitTime, i).time);
  return least;
}

static void
write_nodes (const PdFitModel *self, GString *out)
{
  const PdFitOptions *options = self->options;
  gint64 nodes = options->nodes > 0 ? options->nodes : self->data->hosts;
  gint64 processors = options->processors > 0 ? options->processors : MAX (2, self->data->per_host);

  g_string_append_printf (out,
                          "    <nodes count=\"%" G_GINT64_FORMAT "\" processors=\"%" G_GINT64_FORMAT
                          "\" speed=\"1\"",
                          nodes, processors);
}

static PdFitLevel
get_outer (const PdFitModel *self)
{
  return self->lines[PD_FIT_NETWORK] != NULL ? PD_FIT_NETWORK : PD_FIT_MEMORY;
}

/* Above that a sender waits for its receiver, as was measured, else where times jump most; the
 * handshake is in the times. */
static void
write_protocol (const PdFitModel *self, PdFitLevel level, GString *out)
{
  gint64 measured = self->data->eager[level];
  gint64 eager = measured >= 0 ? measured : self->lines[level]->eager;

  if (eager >= 0)
    g_string_append_printf (out, " eager=\"%" G_GINT64_FORMAT "B\"", eager);
  g_string_append (out, " control=\"free\"");
}

/* Overheads of the sender and the receiver are part of the least time. */
static void
set_overheads (PdFitModel *self, gdouble least, gdouble exchange)
{
  const GArray *loggp = self->data->loggp;
  const PdLogGP *first = loggp->len > 0 ? &g_array_index (loggp, PdLogGP, 0) : NULL;

  self->send = first != NULL ? MIN (first->send, 0.5 * least) : 0;
  self->receive = first != NULL ? MIN (first->receive, 0.5 * least) : 0;
  self->wait = isfinite (exchange) ? MAX (0, exchange - least) : 0;
}

static void
write_contention (PdFitModel *self, GString *out)
{
  PdFitLevel lowest = self->lines[PD_FIT_MEMORY] != NULL ? PD_FIT_MEMORY : PD_FIT_NETWORK;
  gdouble startup = get_least (self->data, "ping-pong", lowest);

  set_overheads (self, startup, get_least (self->data, "sendrecv", lowest));
  g_string_append (out, "  <network type=\"contention\" between=\"size\"");
  pd_fit_append_time (out, "startup", startup - self->send);
  write_protocol (self, lowest, out);
  g_string_append (out, ">\n");
  for (guint level = 0; level < PD_FIT_N_LEVELS; level++)
    if (self->lines[level] != NULL)
      write_table (self, level, startup, out);
  write_nodes (self, out);
  g_string_append (out, "/>\n  </network>\n");
}

/* ---- other types: lines */

static void
write_line (const PdFitModel *self, PdFitLevel level, GString *out)
{
  const PdFitLines *lines = self->lines[level];

  pd_fit_append_time (out, "startup", MAX (0, lines->all.startup - self->send));
  pd_fit_append_number (out, "per-byte", lines->all.per_byte * 1e9, "ns");
  write_protocol (self, level, out);
}

static void
write_simple (PdFitModel *self, GString *out)
{
  PdFitLevel outer = get_outer (self);

  set_overheads (self, self->lines[outer]->all.startup, INFINITY);
  g_string_append_printf (out, "  <network type=\"%s\"", self->options->network);
  write_line (self, outer, out);
  g_string_append (out, ">\n");
  write_nodes (self, out);
  if (self->lines[PD_FIT_MEMORY] != NULL)
    {
      g_string_append (out, ">\n      <memory");
      write_line (self, PD_FIT_MEMORY, out);
      g_string_append (out, "/>\n    </nodes>\n  </network>\n");
    }
  else
    g_string_append (out, "/>\n  </network>\n");
}

/* The parameters of the first protocol for the processors, of all sizes for the bytes:
 * a message takes o + L + o + (s - 1) G. */
static void
write_loggops (PdFitModel *self, GString *out)
{
  PdFitLevel outer = get_outer (self);
  const PdFitLines *lines = self->lines[outer];
  const PdLogGP *first = &g_array_index (self->data->loggp, PdLogGP, 0);
  gdouble o = MIN ((first->send + first->receive) / 2, lines->all.startup / 2);

  g_string_append (out, "  <network type=\"loggops\"");
  pd_fit_append_time (out, "latency", lines->all.startup - 2 * o);
  pd_fit_append_time (out, "o", o);
  pd_fit_append_time (out, "g", first->gap);
  pd_fit_append_number (out, "G", lines->all.per_byte * 1e9, "ns");
  g_string_append (out, " O=\"0\"");
  write_protocol (self, outer, out);
  g_string_append (out, ">\n    <nodes");
  gint64 n = MAX (
      2, MAX (1, self->options->nodes > 0 ? self->options->nodes : self->data->hosts)
             * (self->options->processors > 0 ? self->options->processors : self->data->per_host));
  g_string_append_printf (out, " count=\"%" G_GINT64_FORMAT "\" processors=\"1\"", n);
  g_string_append (out, "/>\n  </network>\n");
}

static const struct
{
  const char *type;
  void (*write) (PdFitModel *self, GString *out);
  gboolean needs_loggp;
} types[] = {
  { "contention", write_contention, FALSE }, { "loggops", write_loggops, TRUE },
  { "memory", write_simple, FALSE },         { "ethernet", write_simple, FALSE },
  { "myrinet", write_simple, FALSE },
};

gboolean
pd_fit_network_check (const PdFitModel *self, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (strcmp (types[i].type, self->options->network) != 0)
        continue;
      if (!types[i].needs_loggp || self->data->loggp->len > 0)
        return TRUE;
      g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA,
                   "network '%s': expected LogGP parameters, of predictor-measure transfer --loggp",
                   types[i].type);
      return FALSE;
    }
  g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_USAGE,
               "network '%s': expected contention, loggops, memory, ethernet or myrinet",
               self->options->network);
  return FALSE;
}

void
pd_fit_network_write (PdFitModel *self, GString *out)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].type, self->options->network) == 0)
      types[i].write (self, out);
}
