/* The parameters of measured contention, and which channels a message uses.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-contention.h"
#include "comsys/net/net-contention-config.h"

static const char *const counts[] = { "messages", "processors", NULL };
static const char *const directions[] = { "separate", "together", NULL };
static const char *const ends[] = { "both", "source", NULL };
static const char *const between[] = { "logarithm", "size", NULL };
static const char *const below[] = { "proportion", "line", NULL };
static const char *const beyond[] = { "proportion", "nearest", NULL };
static const char *const smooth[] = { "none", "monotone", NULL };

#define OFFSET(x) G_STRUCT_OFFSET (PdContentionConfig, x)

const PdParam pd_contention_params[] = {
  { "startup", PD_UNIT_TIME, OFFSET (startup), "0", 0, NULL,
    "time of each message before it uses a channel; all that a control message takes" },
  { "sockets", PD_UNIT_COUNT, OFFSET (sockets), "1", 1, NULL, "sockets of each node" },
  { "processors-per-socket", PD_UNIT_COUNT, OFFSET (per_socket), "0", 0, NULL,
    "processors of each socket" },
  { "counts", PD_UNIT_COUNT, OFFSET (counts), "messages", 0, counts,
    "what cf is the number of: messages on a channel, or processors that use it" },
  { "directions", PD_UNIT_COUNT, OFFSET (directions), "separate", 0, directions,
    "whether what leaves a node and what comes to it share its adapter" },
  { "ends", PD_UNIT_COUNT, OFFSET (ends), "both", 0, ends,
    "whose adapters a message between nodes uses" },
  { "between", PD_UNIT_COUNT, OFFSET (between), "logarithm", 0, between,
    "whether times between two sizes that were measured are on a line over the logarithm of the "
    "size, or over the size" },
  { "below", PD_UNIT_COUNT, OFFSET (below), "proportion", 0, below,
    "times of messages smaller than the smallest that was measured" },
  { "beyond", PD_UNIT_COUNT, OFFSET (beyond), "proportion", 0, beyond,
    "times with a larger cf than the largest that was measured" },
  { "smooth", PD_UNIT_COUNT, OFFSET (smooth), "none", 0, smooth,
    "whether times that fall with cf are averaged until they do not" },
  { .name = NULL },
};

const PdTableParam pd_contention_tables[] = {
  [PD_CONTENTION_MEMORY] = { "memory", OFFSET (tables[PD_CONTENTION_MEMORY]) },
  [PD_CONTENTION_INTERCONNECT] = { "interconnect", OFFSET (tables[PD_CONTENTION_INTERCONNECT]) },
  [PD_CONTENTION_NETWORK] = { "network", OFFSET (tables[PD_CONTENTION_NETWORK]) },
  { .level = NULL },
};

static void
complete_tables (PdContentionConfig *self)
{
  for (guint i = 0; i < PD_CONTENTION_N_LEVELS; i++)
    {
      PdMeasured *table = self->tables[i];
      if (table == NULL)
        continue;
      table->between_sizes = self->between == PD_CONTENTION_SIZE;
      table->below_line = self->below == PD_CONTENTION_LINE;
      table->beyond_nearest = self->beyond == PD_CONTENTION_NEAREST;
      if (self->smooth == PD_CONTENTION_MONOTONE)
        pd_measured_smooth (table);
    }
}

gboolean
pd_contention_check (gpointer config, guint32 n_endpoints, char **reason)
{
  PdContentionConfig *self = config;

  if (self->sockets > PD_CONTENTION_MAX_SOCKETS)
    *reason = g_strdup_printf ("sockets: expected at most %d", PD_CONTENTION_MAX_SOCKETS);
  else if (self->sockets > 1 && self->per_socket == 0)
    *reason = g_strdup ("processors-per-socket: expected for more than one socket");
  else if (self->tables[PD_CONTENTION_NETWORK] == NULL && n_endpoints > 1)
    *reason = g_strdup ("expected a table of level 'network'");
  else if (self->tables[PD_CONTENTION_MEMORY] == NULL
           && self->tables[PD_CONTENTION_INTERCONNECT] == NULL
           && self->tables[PD_CONTENTION_NETWORK] == NULL)
    *reason = g_strdup ("expected a table of level 'memory'");
  else
    complete_tables (self);
  return *reason == NULL;
}

static guint32
get_socket (const PdContentionConfig *self, guint32 processor)
{
  gint64 socket = 0;

  if (self->per_socket > 0)
    socket = processor / self->per_socket;
  return (guint32) MIN (socket, self->sockets - 1);
}

/* Messages within a node use the nearest level that has a measured table. */
PdContentionLevel
pd_contention_get_level (const PdContentionConfig *self, const PdTransfer *transfer)
{
  static const PdContentionLevel nearest[][3] = {
    [PD_CONTENTION_MEMORY] = { PD_CONTENTION_MEMORY, PD_CONTENTION_INTERCONNECT,
                               PD_CONTENTION_NETWORK },
    [PD_CONTENTION_INTERCONNECT] = { PD_CONTENTION_INTERCONNECT, PD_CONTENTION_MEMORY,
                                     PD_CONTENTION_NETWORK },
  };
  PdContentionLevel level = PD_CONTENTION_INTERCONNECT;

  if (transfer->source != transfer->target)
    return PD_CONTENTION_NETWORK;
  if (get_socket (self, transfer->source_processor)
      == get_socket (self, transfer->target_processor))
    level = PD_CONTENTION_MEMORY;
  for (guint i = 0; i < G_N_ELEMENTS (nearest[level]); i++)
    if (self->tables[nearest[level][i]] != NULL)
      return nearest[level][i];
  return PD_CONTENTION_NETWORK;
}

guint32
pd_contention_count_channels (const PdContentionConfig *self)
{
  guint32 sockets = (guint32) self->sockets;

  return sockets + (self->counts == PD_CONTENTION_MESSAGES ? 1 : sockets) + 2;
}

void
pd_contention_get_channels (const PdContentionConfig *self, const PdTransfer *transfer,
                            PdContentionLevel level, guint32 channels[2])
{
  guint32 stride = pd_contention_count_channels (self), sockets = (guint32) self->sockets;
  guint32 first = transfer->source * stride, second = transfer->target * stride;
  guint32 source = get_socket (self, transfer->source_processor);
  guint32 target = get_socket (self, transfer->target_processor);

  channels[1] = G_MAXUINT32;
  if (level == PD_CONTENTION_MEMORY)
    channels[0] = first + source;
  else if (level == PD_CONTENTION_INTERCONNECT && self->counts == PD_CONTENTION_MESSAGES)
    channels[0] = first + sockets;
  else if (level == PD_CONTENTION_INTERCONNECT)
    {
      channels[0] = first + sockets + source;
      channels[1] = source != target ? first + sockets + target : G_MAXUINT32;
    }
  else
    {
      gboolean together = self->directions == PD_CONTENTION_TOGETHER;
      channels[0] = first + stride - 2;
      if (self->ends == PD_CONTENTION_BOTH && (!together || first != second))
        channels[1] = second + stride - (together ? 2 : 1);
    }
}

/* ---- how tables were used */

void
pd_contention_note_use (const PdMeasured *table, PdContentionUsed *used, gint64 bytes, guint32 cf,
                        gboolean *outside)
{
  used->least = used->least == 0 ? bytes : MIN (used->least, bytes);
  used->most = MAX (used->most, bytes);
  used->cf = MAX (used->cf, cf);
  if (!pd_measured_is_outside (table, bytes, cf))
    return;
  used->n_outside += *outside ? 0 : 1;
  *outside = TRUE;
  used->least_outside = used->least_outside == 0 ? bytes : MIN (used->least_outside, bytes);
  used->most_outside = MAX (used->most_outside, bytes);
  used->cf_outside = MAX (used->cf_outside, cf);
}

static void
report_outside (const PdMeasured *table, const PdContentionUsed *used, const char *level,
                PdMessages *messages)
{
  char cf[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (cf, sizeof cf, "%.6g", table->cf[table->n_columns - 1]);
  pd_messages_add (messages, PD_SEVERITY_WARNING, "outside-measured", level, NULL,
                   "network 'contention': %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                   " messages of level '%s' are outside the measured range, %" G_GINT64_FORMAT
                   " to %" G_GINT64_FORMAT " B with cf 1 to %s: they have %" G_GINT64_FORMAT
                   " to %" G_GINT64_FORMAT " B with cf up to %u",
                   used->n_outside, used->n_messages, level, pd_measured_get_size (table, FALSE),
                   pd_measured_get_size (table, TRUE), cf, used->least_outside, used->most_outside,
                   used->cf_outside);
}

/* Whether of the sizes and cf used a time is less than with a smaller cf. */
static gboolean
find_suspect (const PdMeasured *table, const PdContentionUsed *used, gint64 *size, guint *column)
{
  PdMeasuredPlace first = pd_measured_find (table, used->least);
  PdMeasuredPlace last = pd_measured_find (table, used->most);
  guint end = last.row + (last.fraction != 0 ? 1 : 0);

  for (guint row = first.row; row <= end; row++)
    {
      *column = pd_measured_find_fall (table, row, used->cf);
      *size = g_array_index (table->sizes, gint64, row);
      if (*column > 0)
        return TRUE;
    }
  return FALSE;
}

void
pd_contention_report_use (const PdContentionConfig *self, const PdContentionUsed *used,
                          PdMessages *messages)
{
  for (guint i = 0; i < PD_CONTENTION_N_LEVELS; i++)
    {
      const PdMeasured *table = self->tables[i];
      const char *level = pd_contention_tables[i].level;
      char high[G_ASCII_DTOSTR_BUF_SIZE], low[G_ASCII_DTOSTR_BUF_SIZE];
      gint64 size;
      guint column;
      if (used[i].n_outside > 0)
        report_outside (table, &used[i], level, messages);
      if (used[i].most == 0 || !find_suspect (table, &used[i], &size, &column))
        continue;
      g_ascii_formatd (low, sizeof low, "%.6g", table->cf[column - 1]);
      g_ascii_formatd (high, sizeof high, "%.6g", table->cf[column]);
      pd_messages_add (messages, PD_SEVERITY_WARNING, "suspect-measured", level, NULL,
                       "network 'contention': by the table of level '%s' a message of "
                       "%" G_GINT64_FORMAT " B takes less with cf %s than with cf %s",
                       level, size, high, low);
    }
}
