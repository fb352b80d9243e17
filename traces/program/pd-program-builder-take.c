/* Building programs: actions of several builders, put together.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-builder-take.h"

#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-packed-private.h"
#include "traces/program/pd-program-private.h"

/* Indices of one builder mapped to those of another one; %NULL: all are the same. */
typedef struct
{
  const guint32 *comms;
  guint32 *strings;
  guint32 *counts;
  guint32 *intervals;
  guint32 *sites;
} Maps;

static void
maps_clear (Maps *self)
{
  g_free (self->strings);
  g_free (self->counts);
  g_free (self->intervals);
  g_free (self->sites);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Maps, maps_clear)

static guint
runs_length (const PdRuns *runs)
{
  return runs->first->len - 1;
}

static const char *
string_at (const PdProgramBuilder *self, guint32 i)
{
  return &g_array_index (self->strings.values, char,
                         g_array_index (self->strings.first, guint64, i));
}

static guint32 *
map_strings (PdProgramBuilder *self, const PdProgramBuilder *other)
{
  guint32 *map = g_new (guint32, runs_length (&other->strings) + 1);

  for (guint32 i = 0; i < runs_length (&other->strings); i++)
    map[i] = pd_program_builder_add_string (self, string_at (other, i));
  return map;
}

static guint32 *
map_counts (PdProgramBuilder *self, const PdProgramBuilder *other)
{
  guint32 *map = g_new (guint32, runs_length (&other->counts) + 1);

  for (guint32 i = 0; i < runs_length (&other->counts); i++)
    {
      guint64 first = g_array_index (other->counts.first, guint64, i);
      guint64 end = g_array_index (other->counts.first, guint64, i + 1);
      map[i] = pd_program_builder_add_counts (
          self, &g_array_index (other->counts.values, gint64, first), (guint32) (end - first));
    }
  return map;
}

guint32
pd_program_builder_get_n_intervals (const PdProgramBuilder *self)
{
  return self->intervals->len;
}

/* @known: (nullable): those that are not %PD_PROGRAM_NONE need not be looked for. */
static guint32 *
map_intervals (PdProgramBuilder *self, const PdProgramBuilder *other, const guint32 *known)
{
  guint32 *map = g_new (guint32, other->intervals->len + 1);

  for (guint i = 0; i < other->intervals->len; i++)
    {
      if (known != NULL && known[i] != PD_PROGRAM_NONE)
        {
          map[i] = known[i];
          continue;
        }
      const PdBuiltInterval *own = &g_array_index (other->intervals, PdBuiltInterval, i);
      const PdProgramInterval interval = { string_at (other, own->name),
                                           string_at (other, own->file), own->line, own->index };
      map[i] = pd_program_builder_add_interval (self, &interval);
    }
  return map;
}

static guint32 *
map_sites (PdProgramBuilder *self, const PdProgramBuilder *other)
{
  guint32 *map = g_new (guint32, other->sites->len + 1);

  for (guint i = 0; i < other->sites->len; i++)
    {
      const PdBuiltSite *own = &g_array_index (other->sites, PdBuiltSite, i);
      const PdProgramSite site = { string_at (other, own->file), string_at (other, own->function),
                                   own->line,
                                   own->parent == PD_PROGRAM_NONE ? PD_PROGRAM_NONE
                                                                  : map[own->parent] };
      map[i] = pd_program_builder_add_site (self, &site);
    }
  return map;
}

static void
fill_maps (Maps *maps, PdProgramBuilder *self, const PdProgramBuilder *other,
           const guint32 *intervals)
{
  maps->strings = map_strings (self, other);
  maps->counts = map_counts (self, other);
  maps->intervals = map_intervals (self, other, intervals);
  maps->sites = map_sites (self, other);
}

static gboolean
is_same (const guint32 *map, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (map[i] != i)
      return FALSE;
  return TRUE;
}

static gboolean
are_same (const Maps *maps, const PdProgramBuilder *other)
{
  return is_same (maps->comms, runs_length (&other->comms))
         && is_same (maps->strings, runs_length (&other->strings))
         && is_same (maps->counts, runs_length (&other->counts))
         && is_same (maps->intervals, other->intervals->len)
         && is_same (maps->sites, other->sites->len);
}

static void
translate (const guint32 *map, guint32 *index)
{
  if (*index != PD_PROGRAM_NONE)
    *index = map[*index];
}

static void
translate_action (PdAction *action, gconstpointer data)
{
  const Maps *maps = data;
  PdActionKind kind = action->kind;

  action->comm = maps->comms[action->comm];
  if (kind == PD_ACT_OTHER || kind == PD_ACT_LOCAL || kind == PD_ACT_LOCATION)
    translate (maps->strings, &action->name);
  if (kind == PD_ACT_ENTER || kind == PD_ACT_LEAVE)
    translate (maps->intervals, &action->interval);
  translate (maps->counts, &action->send_counts);
  translate (maps->counts, &action->recv_counts);
  translate (maps->counts, &action->sources);
  translate (maps->counts, &action->targets);
  translate (maps->sites, &action->site);
  translate (maps->strings, &action->called);
  translate (maps->strings, &action->file);
}

/* Of packed actions, only the definitions of shapes have indices of tables. FALSE: some definitions
 * would change their length, and nothing is changed. */
static gboolean
translate_shapes (const PdProgramRank *own, const Maps *maps)
{
  for (guint really = 0; really < 2; really++)
    for (gsize i = 0; i < own->shapes.n; i++)
      if (!pd_packed_change_shape (pd_vector_at (&own->shapes, guint8 *, i), translate_action, maps,
                                   really == 1))
        return FALSE;
  return TRUE;
}

/* The action of @n cells from @cell on, in place: indexes of tables have as many bits everywhere.
 * @scratch: PdProgramCell. */
static void
translate_cells (PdProgramCell *cell, gsize n, PdAction *action, const Maps *maps, GArray *scratch)
{
  const PdProgramCell first = *cell;

  translate_action (action, maps);
  g_array_set_size (scratch, (guint) n + PD_ACTION_MAX_CELLS);
  PdProgramCell *cells = (PdProgramCell *) (gpointer) scratch->data;
  gsize written = pd_action_write (action, cells);
  g_assert (written == n);
  memcpy (cell, cells, n * sizeof *cell);
  cell->kind = first.kind; /* of those whose amounts are samples, these say more */
  cell->request = first.request;
}

static void
translate_chunk (PdChunk *chunk, const Maps *maps, GArray *scratch)
{
  PdProgramCell *end = chunk->cells + chunk->n;

  for (PdProgramCell *cell = chunk->cells, *next; cell != end; cell = next)
    {
      PdAction action;
      next = cell + 1;
      if (cell->kind == PD_CELL_LOOP)
        continue;
      next = (PdProgramCell *) pd_action_read (cell, &action);
      translate_cells (cell, (gsize) (next - cell), &action, maps, scratch);
    }
}

/* The cells of a rank, in place. */
static void
translate_rank (PdProgramRank *own, const Maps *maps)
{
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (PdProgramCell));

  for (PdChunk *chunk = own->first; chunk != NULL; chunk = chunk->next)
    translate_chunk (chunk, maps, scratch);
}

/* Whether the number of each communicator keeps its cells: those of tables do anyway. */
static gboolean
keeps_cells (const Maps *maps, guint32 n_comms)
{
  for (guint32 i = 0; i < n_comms; i++)
    if ((i < PD_CELL_WIDE_COMM) != (maps->comms[i] < PD_CELL_WIDE_COMM))
      return FALSE;
  return TRUE;
}

/* Likewise a chunk of packed ones; @reader knows the shapes of those before. */
static gboolean
add_packed (PdProgramBuilder *self, guint32 rank, const PdChunk *chunk, const Maps *maps,
            PdActionReader *reader, GError **error)
{
  const PdAction *action;

  pd_action_reader_set (reader, (const guint8 *) chunk->cells, chunk->n);
  while ((action = pd_action_reader_next (reader)) != NULL)
    {
      PdAction own = *action;
      translate_action (&own, maps);
      if (!pd_program_builder_add (self, rank, &own, error))
        return FALSE;
    }
  return TRUE;
}

/* A chunk has whole actions, and loops. */
static gboolean
add_chunk (PdProgramBuilder *self, guint32 rank, const PdChunk *chunk, const Maps *maps,
           PdLoops *loops, GError **error)
{
  const PdProgramCell *cell = chunk->cells, *end = chunk->cells + chunk->n;

  while (cell != end)
    {
      PdAction action;
      cell = pd_loops_read (loops, cell, end, &action);
      translate_action (&action, maps);
      if (!pd_program_builder_add (self, rank, &action, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_rank (PdProgramBuilder *self, PdProgramBuilder *other, guint32 rank, const Maps *maps,
          GError **error)
{
  PdProgramRank *own = &other->ranks[rank];
  g_auto (PdActionReader) reader = { 0 };
  PdLoops loops = { .sample = other->is_sampled ? own->samples.data : NULL };

  while (own->first != NULL)
    {
      PdChunk *chunk = own->first;
      if (!(other->packer != NULL ? add_packed (self, rank, chunk, maps, &reader, error)
                                  : add_chunk (self, rank, chunk, maps, &loops, error)))
        return FALSE;
      own->first = chunk->next;
      pd_chunk_free (chunk);
    }
  pd_vector_clear (&own->shapes); /* or its samples */
  /* of an outline there are no actions to add */
  self->ranks[rank].n_actions = own->n_actions;
  self->ranks[rank].n_slots = own->n_slots;
  return TRUE;
}

static void
take_span (PdProgramBuilder *self, const PdProgramBuilder *other, guint32 rank)
{
  if (other->spans == NULL)
    return;
  const PdRecordedSpan *span = &other->spans[rank];
  pd_program_builder_set_recorded_begin (self, rank, span->begin);
  pd_program_builder_set_recorded_end (self, rank, span->end);
  pd_program_builder_set_recorded_init (self, rank, span->init);
  pd_program_builder_set_recorded_finalize (self, rank, span->finalize);
}

gboolean
pd_program_builder_take (PdProgramBuilder *self, PdProgramBuilder *other, const PdTakenRanks *ranks,
                         GError **error)
{
  g_auto (Maps) maps = { .comms = ranks->comms };

  g_return_val_if_fail (self->is_sampled == other->is_sampled, FALSE);
  fill_maps (&maps, self, other, ranks->intervals);
  if (ranks->intervals != NULL)
    memcpy (ranks->intervals, maps.intervals, other->intervals->len * sizeof *maps.intervals);
  gboolean same = are_same (&maps, other), packs = self->packer != NULL && other->packer != NULL;
  gboolean keeps = self->packer == NULL && other->packer == NULL
                   && keeps_cells (&maps, runs_length (&other->comms));
  self->kinds |= other->kinds;
  self->has_loops |= other->has_loops;
  for (guint32 rank = ranks->first; rank < ranks->end; rank++)
    {
      PdProgramRank *own = &other->ranks[rank];
      take_span (self, other, rank);
      pd_chunks_stop_following (own);
      if (!same && keeps)
        translate_rank (own, &maps);
      gboolean moves = same || keeps || (packs && translate_shapes (own, &maps));
      if (!moves)
        {
          if (!add_rank (self, other, rank, &maps, error))
            return FALSE;
          continue;
        }
      self->ranks[rank] = *own;
      *own = (PdProgramRank){ .first = NULL };
    }
  return TRUE;
}

/* ---- parts of one builder */

PdProgramBuilder *
pd_program_builder_new_part (PdProgramBuilder *self)
{
  PdProgramBuilder *part = pd_program_builder_new (1, self->unit);

  g_return_val_if_fail (self->packer == NULL && self->whole == NULL, part);
  if (self->owners == NULL)
    self->owners = g_new0 (gint, self->n_ranks);
  g_free (part->ranks);
  pd_runs_clear (&part->comms);
  part->n_ranks = self->n_ranks;
  part->ranks = self->ranks;
  part->comms = (PdRuns){ g_array_ref (self->comms.values), g_array_ref (self->comms.first) };
  part->whole = self;
  part->part = ++self->n_parts;
  part->is_sampled = self->is_sampled;
  if (self->folder != NULL)
    pd_program_builder_fold (part);
  return part;
}

gboolean
pd_program_builder_claim (PdProgramBuilder *self, guint32 rank)
{
  if (self->whole == NULL)
    return TRUE;
  gint *owner = &self->whole->owners[rank];
  if (!g_atomic_int_compare_and_exchange (owner, 0, self->part))
    return g_atomic_int_get (owner) == self->part;
  pd_vector_append (&self->claimed, guint32) = rank;
  return TRUE;
}

void
pd_program_builder_end_part (PdProgramBuilder *self)
{
  for (gsize i = 0; self->folder != NULL && i < self->claimed.n; i++)
    self->has_loops |=
        pd_chunks_fold_rest (&self->ranks[pd_vector_at (&self->claimed, guint32, i)], self->folder);
}

void
pd_program_builder_join (PdProgramBuilder *self, PdProgramBuilder *part)
{
  g_autofree guint32 *comms = g_new (guint32, runs_length (&self->comms));
  g_auto (Maps) maps = { .comms = comms };

  g_return_if_fail (part->whole == self);
  for (guint32 i = 0; i < runs_length (&self->comms); i++)
    comms[i] = i;
  fill_maps (&maps, self, part, NULL);
  self->kinds |= part->kinds;
  self->has_loops |= part->has_loops;
  gboolean same = are_same (&maps, part);
  for (gsize i = 0; !same && i < part->claimed.n; i++)
    translate_rank (&self->ranks[pd_vector_at (&part->claimed, guint32, i)], &maps);
  pd_program_builder_free (part);
}

/* They have each thing once, in this order. */
void
pd_program_builder_copy_tables (PdProgramBuilder *self, const PdProgram *program)
{
  guint32 n;

  for (guint32 i = 1; i < pd_program_get_n_comms (program); i++)
    {
      const guint32 *ranks = pd_program_get_comm (program, i, &n);
      pd_program_builder_add_comm (self, ranks, n, NULL);
    }
  for (guint32 i = 0; i < pd_program_get_n_counts (program); i++)
    {
      const gint64 *values = pd_program_get_counts (program, i, &n);
      pd_program_builder_add_counts (self, values, n);
    }
  for (guint32 i = 0; i < pd_program_get_n_strings (program); i++)
    pd_program_builder_add_string (self, pd_program_get_string (program, i));
  for (guint32 i = 0; i < pd_program_get_n_intervals (program); i++)
    pd_program_builder_add_interval (self, pd_program_get_interval (program, i));
  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    {
      PdProgramSite site = pd_program_get_site (program, i);
      pd_program_builder_add_site (self, &site);
    }
}
