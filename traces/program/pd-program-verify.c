/* Programs that come from a file: whether they are such as a builder makes.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-private.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-check-private.h"
#include "traces/program/pd-program-verify-private.h"

#include <string.h>

/* Of a file, repetitions included: those who go through them all come to an end. */
#define MOST_ACTIONS (G_GUINT64_CONSTANT (1) << 36)

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "%s", why);
  return FALSE;
}

/* ---- tables */

static gboolean
check_strings (const PdProgram *self, GError **error)
{
  const char *text = self->strings.values->data;

  for (guint i = 0; i + 1 < self->strings.first->len; i++)
    {
      guint64 first = g_array_index (self->strings.first, guint64, i);
      guint64 end = g_array_index (self->strings.first, guint64, i + 1);
      if (end == first || memchr (text + first, '\0', end - first) != text + end - 1)
        return refuse ("a text has no end", error);
    }
  return TRUE;
}

/* Members are ranks, none twice; the world has no list. */
static gboolean
check_comms (const PdProgram *self, GError **error)
{
  g_autofree guint32 *seen = g_new0 (guint32, self->n_ranks);

  if (self->comms.first->len < 2 || g_array_index (self->comms.first, guint64, 1) != 0)
    return refuse ("the world is missing", error);
  for (guint comm = 1; comm + 1 < self->comms.first->len; comm++)
    {
      guint64 first = g_array_index (self->comms.first, guint64, comm);
      guint64 end = g_array_index (self->comms.first, guint64, comm + 1);
      if (first == end)
        return refuse ("a communicator without members", error);
      for (; first < end; first++)
        {
          guint32 rank = g_array_index (self->comms.values, guint32, first);
          if (rank >= self->n_ranks || seen[rank] == comm)
            return refuse ("a communicator with impossible members", error);
          seen[rank] = comm;
        }
    }
  return TRUE;
}

static gboolean
check_sites (const PdProgram *self, GError **error)
{
  for (guint32 i = 0; i < self->sites->len; i++)
    {
      const PdBuiltSite *site = &g_array_index (self->sites, PdBuiltSite, i);
      if (MAX (site->file, site->function) >= self->strings.first->len - 1)
        return refuse ("a call site without a name", error);
      if (site->parent >= i && site->parent != PD_PROGRAM_NONE)
        return refuse ("a call site inside itself", error);
    }
  return TRUE;
}

static gboolean
is_string (const PdProgram *self, guint32 index)
{
  return index < self->strings.first->len - 1 || index == PD_PROGRAM_NONE;
}

static gboolean
is_possible (const PdRecordedRegions *regions)
{
  return regions->n >= 0 && regions->n_threads >= 0 && regions->time.ps >= 0
         && regions->busy.ps >= 0 && regions->longest.ps >= 0 && regions->capacity.ps >= 0;
}

static gboolean
check_usages (const PdProgram *self, GError **error)
{
  for (guint32 rank = 0; self->usages != NULL && rank < self->n_ranks; rank++)
    {
      const PdRecordedUsage *usage = &self->usages[rank];
      if (!is_string (self, usage->host) || !is_string (self, usage->processors)
          || usage->n_switches < -1 || usage->memory < -1 || usage->waited.ps < -1
          || usage->reading_cost.ps < 0 || !is_possible (&usage->regions))
        return refuse ("an impossible use of a host", error);
    }
  return TRUE;
}

gboolean
pd_program_check_tables (PdProgram *self, gconstpointer intervals, guint32 n, GError **error)
{
  if (!check_strings (self, error) || !check_comms (self, error) || !check_sites (self, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      PdBuiltInterval own;
      memcpy (&own, (const PdBuiltInterval *) intervals + i, sizeof own);
      if (MAX (own.name, own.file) >= self->strings.first->len - 1)
        return refuse ("an interval without a name", error);
      PdProgramInterval interval = { pd_program_get_string (self, own.name),
                                     pd_program_get_string (self, own.file), own.line, own.index };
      g_array_append_val (self->intervals, interval);
    }
  if (!check_usages (self, error))
    return FALSE;
  for (guint32 rank = 0; self->spans != NULL && rank < self->n_ranks; rank++)
    if (self->spans[rank].begin.ps < 0 || self->spans[rank].end.ps < PD_TIME_PENDING.ps
        || self->spans[rank].init.ps < 0 || self->spans[rank].finalize.ps < 0)
      return refuse ("a recorded end before the beginning", error);
  return TRUE;
}

/* ---- actions */

/* Whether the amount of the action at @cell is a sample. */
static gboolean
is_sampled (const PdProgramCell *cell)
{
  return (cell->kind & ~PD_CELL_MORE) == PD_CELL_SAMPLE && cell->amount.time.ps == 0
         && (cell->request == PD_ACT_COMPUTE || cell->request == PD_ACT_LOCAL);
}

/* The cell behind an action that lies before @end; NULL if there is none. */
static const PdProgramCell *
skip_action (const PdProgramCell *cell, const PdProgramCell *end)
{
  gboolean more = (cell->kind & PD_CELL_MORE) != 0;

  if ((cell->kind & ~PD_CELL_MORE) >= PD_N_ACTS && !is_sampled (cell))
    return NULL;
  for (cell++; more;)
    {
      PdExtension extension;
      if (cell == end)
        return NULL;
      memcpy (&extension, cell++, sizeof extension);
      guint kind = extension.kind & ~(guint) PD_CELL_MORE;
      if (kind >= PD_N_EXTS)
        return NULL;
      more = (extension.kind & PD_CELL_MORE) != 0;
      if (kind != PD_EXT_SLOTS && kind != PD_EXT_DONE)
        continue;
      if (PD_LIST_CELLS (extension.a) > (gsize) (end - cell))
        return NULL;
      cell += PD_LIST_CELLS (extension.a);
    }
  return cell;
}

/* ---- loops */

/* An action, or a loop with all that is in it. */
typedef struct
{
  guint64 n_cells;
  guint64 n_actions;
  guint64 n_samples; /* actions whose amounts are samples */
  guint height;      /* of loops in each other */
} Item;

/* The loop at @cell repeats whole items, the last ones of @items, which it replaces; all actions of
 * the rank are counted. */
static gboolean
check_loop (GArray *items, const PdProgramCell *cell, PdProgramRank *own, GError **error)
{
  Item loop = { 0 };

  while (items->len > 0 && loop.n_cells < (guint64) MAX (cell->peer, 0))
    {
      const Item *item = &g_array_index (items, Item, items->len - 1);
      loop.n_cells += item->n_cells;
      loop.n_actions += item->n_actions;
      loop.n_samples += item->n_samples;
      loop.height = MAX (loop.height, item->height);
      g_array_set_size (items, items->len - 1);
    }
  if (loop.n_cells == 0 || loop.n_cells != (guint64) cell->peer || cell->bytes < 2
      || cell->comm != loop.height || loop.height >= PD_LOOPS_DEPTH)
    return refuse ("a loop of missing actions", error);
  if (loop.n_actions > MOST_ACTIONS / cell->bytes)
    return refuse ("more actions than can be", error);
  own->n_actions += loop.n_actions * (cell->bytes - 1);
  own->n_samples += loop.n_samples * (cell->bytes - 1);
  loop.n_actions *= cell->bytes;
  loop.n_samples *= cell->bytes;
  loop.n_cells++;
  loop.height++;
  g_array_append_val (items, loop);
  return TRUE;
}

static gboolean
check_action (PdProgramBuilder *builder, guint32 rank, const PdProgramCell *cell, GError **error)
{
  PdProgramRank *own = &builder->ranks[rank];
  PdAction action;

  pd_action_read (cell, &action);
  if (!pd_program_builder_check (builder, rank, &action, error))
    return FALSE;
  if (action.recorded < -1 || action.processor < -1)
    return refuse ("a recorded time is negative", error);
  builder->kinds |= pd_kinds_of (&action);
  own->n_actions++;
  own->n_samples += is_sampled (cell) ? 1 : 0;
  own->n_slots = MAX (own->n_slots, (guint32) pd_action_get_slots_end (&action));
  return TRUE;
}

static gboolean
check_cells (const PdProgram *self, PdProgramBuilder *builder, guint32 rank, GArray *items,
             GError **error)
{
  const PdProgramCell *end, *cell = pd_program_get_cells (self, rank, &end), *next;

  for (; cell < end; cell = next)
    {
      gboolean is_loop = cell->kind == PD_CELL_LOOP;
      next = is_loop ? cell + 1 : skip_action (cell, end);
      if (next == NULL)
        return refuse ("an action has no end", error);
      if (!(is_loop ? check_loop (items, cell, &builder->ranks[rank], error)
                    : check_action (builder, rank, cell, error)))
        return FALSE;
      Item item = { (guint64) (next - cell), 1, is_sampled (cell) ? 1 : 0, 0 };
      builder->has_loops |= is_loop || is_sampled (cell);
      if (!is_loop)
        g_array_append_val (items, item);
    }
  return TRUE;
}

/* Each repetition of an action takes its own. */
static gboolean
check_samples (const PdProgram *self, const PdProgramBuilder *builder, guint32 rank, GError **error)
{
  guint64 n = builder->ranks[rank].n_samples, size = self->samples.n;

  if (n == 0)
    return TRUE;
  if (size < PD_SAMPLES_SPARE || self->first_sample[rank] > size - PD_SAMPLES_SPARE)
    return refuse ("samples are missing", error);
  const guint8 *at = pd_program_get_samples (self, rank);
  const guint8 *end = (const guint8 *) self->samples.data + size - PD_SAMPLES_SPARE;
  for (; n > 0 && at < end; n--)
    if (!pd_program_builder_is_sample (builder, pd_sample_read (&at)))
      return refuse ("a sample of a negative or infinite amount", error);
  return (n == 0 && at <= end) || refuse ("samples are missing", error);
}

static gboolean
check_rank (const PdProgram *self, PdProgramBuilder *builder, guint32 rank, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  const PdProgramRank *own = &builder->ranks[rank];

  return check_cells (self, builder, rank, items, error)
         && ((own->n_actions == self->n_actions[rank] && own->n_slots == self->n_slots[rank])
             || refuse ("the number of actions differs", error))
         && check_samples (self, builder, rank, error);
}

/* All ranks together have no more actions than a file may have. */
static gboolean
check_sum (const PdProgram *self, GError **error)
{
  guint64 n = 0;

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    n += self->n_actions[rank];
  return n <= MOST_ACTIONS || refuse ("more actions than can be", error);
}

/* Checks the actions with the functions and messages of a builder that has the tables of
 * @self and the actions so far. */
gboolean
pd_program_check_actions (PdProgram *self, GError **error)
{
  g_autofree PdProgramRank *ranks = g_new0 (PdProgramRank, self->n_ranks);
  PdProgramBuilder builder = { .n_ranks = self->n_ranks,
                               .unit = self->unit,
                               .ranks = ranks,
                               .comms = self->comms,
                               .counts = self->counts,
                               .strings = self->strings,
                               .intervals = self->intervals,
                               .sites = self->sites };

  if (!check_sum (self, error))
    return FALSE;
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    if (!check_rank (self, &builder, rank, error))
      {
        g_prefix_error (error, "rank %u: ", rank);
        if (error != NULL && *error != NULL)
          (*error)->code = PD_TRACE_ERROR_FORMAT;
        return FALSE;
      }
  self->kinds = builder.kinds;
  self->has_loops = builder.has_loops;
  return TRUE;
}
