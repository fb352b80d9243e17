/* From programs to graphs: ranks, communicators and tags. pd-graph-from-calls.c
 * converts each action.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-from-program.h"

#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "predictor/graph/pd-graph-from-private.h"
#include "comsys/comm/pd-comm.h"
#include "predictor/graph/pd-graph-from-calls-private.h"
#include "predictor/graph/pd-graph-from-program-private.h"
#include "traces/program/pd-action-reader.h"

#include <string.h>

/* ---- what a graph cannot say */

void
pd_graph_maker_lose (PdGraphMaker *self, const char *text)
{
  PdPlace place = { .number = (gint64) self->n_actions, .rank = self->rank, .is_mp = TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_WARNING, "graph-not-expressed", text, &place, "%s",
                   text);
}

void
pd_graph_maker_drop (PdGraphMaker *self)
{
  PdPlace place = { .number = (gint64) self->n_actions, .rank = self->rank, .is_mp = TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_NOTE, "graph-marks-dropped", NULL, &place,
                   "intervals, places in the source and recorded times are left out");
}

/* ---- tags */

guint32
pd_graph_maker_tag (PdGraphMaker *self, PdTagUse use, guint32 comm, guint32 number)
{
  g_autofree char *key = NULL;
  gpointer tag;

  if (use == PD_TAG_USER && comm == 0)
    return number;
  self->many_contexts = TRUE;
  key = g_strdup_printf ("%d %" G_GUINT32_FORMAT " %" G_GUINT32_FORMAT, use, comm, number);
  tag = g_hash_table_lookup (self->tags, key);
  if (tag == NULL)
    {
      tag = GSIZE_TO_POINTER (self->next_tag++);
      g_hash_table_insert (self->tags, g_steal_pointer (&key), tag);
    }
  return (guint32) GPOINTER_TO_SIZE (tag);
}

/* The first tag that no message of the world's user has. */
static guint64
find_free_tag (const PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  gint64 most = 0;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        most = MAX (most, MAX (action->tag, action->recv_tag));
    }
  return (guint64) most + 1;
}

/* ---- ranks */

static void
clear_slots (PdGraphMaker *self)
{
  for (guint32 i = 0; i < self->n_slots; i++)
    {
      if (self->slots[i].ends != NULL)
        g_array_unref (self->slots[i].ends);
      g_free (self->slots[i].start);
    }
  g_clear_pointer (&self->slots, g_free);
  self->n_slots = 0;
}

static gboolean
make_rank (PdGraphMaker *self, guint32 rank, GError **error)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  self->rank = rank;
  self->n_actions = 0;
  clear_slots (self);
  self->n_slots = pd_program_get_n_slots (self->program, rank);
  self->slots = g_new0 (PdGraphSlot, self->n_slots);
  memset (self->n_nonblocking, 0, self->n_comms * sizeof *self->n_nonblocking);
  pd_graph_builder_begin_rank (self->builder, rank);
  pd_graph_chain_restart (&self->chain);
  pd_action_reader_init (&reader, self->program);
  pd_action_reader_begin (&reader, rank);
  for (; (action = pd_action_reader_next (&reader)) != NULL; self->n_actions++)
    {
      if (action->recorded >= 0)
        pd_graph_maker_drop (self);
      if (!pd_graph_make_action (self, action, error))
        return FALSE;
    }
  if (!pd_time_is_pending (pd_program_get_recorded_end (self->program, rank)))
    pd_graph_maker_drop (self);
  pd_graph_chain_end (&self->chain);
  return TRUE;
}

static gboolean
make_ranks (PdGraphMaker *self, GError **error)
{
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->program); rank++)
    if (!make_rank (self, rank, error))
      return FALSE;
  if (self->next_tag < PD_GRAPH_ANY)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
               "communicators and collective operations need more than 2^32 tags");
  return FALSE;
}

static void
make_comms (PdGraphMaker *self)
{
  self->n_comms = pd_program_get_n_comms (self->program);
  self->n_nonblocking = g_new0 (guint32, self->n_comms);
  self->comms = g_new (PdComm *, self->n_comms);
  for (guint32 i = 0; i < self->n_comms; i++)
    {
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (self->program, i, &n);
      self->comms[i] = ranks != NULL ? pd_comm_new (self->comsys, ranks, n)
                                     : pd_comm_ref (pd_comsys_get_world (self->comsys));
    }
}

static void
clear (PdGraphMaker *self)
{
  clear_slots (self);
  pd_graph_builder_free (self->builder);
  pd_schedule_walk_free (self->walk);
  for (guint32 i = 0; i < self->n_comms; i++)
    pd_comm_unref (self->comms[i]);
  g_free (self->comms);
  g_free (self->n_nonblocking);
  g_hash_table_unref (self->tags);
  pd_graph_chain_clear (&self->chain);
  pd_graph_chain_clear (&self->nonblocking);
  pd_comsys_free (self->comsys);
}

PdGraph *
pd_graph_from_program (const PdProgram *program, const PdGraphOptions *options,
                       PdMessages *messages, GError **error)
{
  PdGraphMaker self = { .program = program, .options = options, .messages = messages };
  guint32 n_ranks = pd_program_get_n_ranks (program);
  g_autofree char *spec = g_strdup_printf ("ideal:collectives=%s", options->collectives);
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, n_ranks, error);
  PdGraph *graph = NULL;

  self.comsys = machine != NULL ? pd_comsys_new (machine, NULL, n_ranks, error) : NULL;
  if (self.comsys == NULL)
    return NULL;
  self.walk = pd_schedule_walk_new (self.comsys);
  self.builder = pd_graph_builder_new (n_ranks);
  self.tags = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.next_tag = find_free_tag (program);
  pd_graph_chain_init (&self.chain, self.builder);
  pd_graph_chain_init (&self.nonblocking, self.builder);
  make_comms (&self);
  if (make_ranks (&self, error))
    graph = pd_graph_builder_finish (g_steal_pointer (&self.builder), error);
  clear (&self);
  return graph;
}
