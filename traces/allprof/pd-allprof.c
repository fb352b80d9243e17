/* liballprof traces become a program: computation is what lies between calls.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof.h"

#include "base/pd-error.h"
#include "traces/allprof/pd-allprof-make-private.h"
#include "traces/allprof/pd-allprof-collectives-private.h"
#include "traces/allprof/pd-allprof-comms-private.h"
#include "traces/allprof/pd-allprof-lines-private.h"
#include "traces/allprof/pd-allprof-private.h"
#include "traces/allprof/pd-allprof-scan-private.h"
#include "traces/allprof/pd-allprof-waits-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

/* ---- common to all calls */

static void
warn (PdAllprofMaker *self, const char *id, const char *subject, const char *text)
{
  PdPlace place = { .file = self->lines->name,
                    .line = self->lines->lines.number,
                    .number = -1,
                    .rank = self->rank,
                    .is_mp = TRUE };

  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, subject, &place, "%s%s", subject, text);
}

static gboolean
add_to_builder (PdAllprofMaker *self, const PdAction *action, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (pd_program_builder_add (self->builder, self->rank, action, &problem))
    return TRUE;
  return pd_allprof_lines_fail (self->lines, error, PD_TRACE_ERROR_VALUE, "%s", problem->message);
}

static gboolean
add_computation (PdAllprofMaker *self, GError **error)
{
  gint64 start = self->call->has_start ? self->call->start : self->clock;
  PdAction action;

  if (start < self->clock)
    {
      warn (self, "bad-time", "", "a call begins before the one before it has ended");
      return TRUE;
    }
  if (start == self->clock)
    return TRUE;
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = PD_TIME (start - self->clock);
  return add_to_builder (self, &action, error);
}

static gint64
get_duration (const PdAllprofMaker *self)
{
  const PdAllprofCall *call = self->call;

  return call->has_start && call->has_end && call->end >= call->start ? call->end - call->start
                                                                      : -1;
}

gboolean
pd_allprof_add (PdAllprofMaker *self, PdAction *action, GError **error)
{
  if (self->recorded)
    action->recorded = get_duration (self);
  if (!add_computation (self, error) || !add_to_builder (self, action, error))
    return FALSE;
  if (self->call->has_end)
    self->clock = MAX (self->clock, self->call->end);
  return TRUE;
}

guint32
pd_allprof_get_comm (PdAllprofMaker *self)
{
  guint32 index = 0;

  if (pd_allprof_handles_find (self->handles, &self->call->comm, &index))
    return index;
  /* the first pass has seen the same calls */
  while (self->next_event < self->facts->events->len)
    {
      const PdAllprofEvent *event =
          &g_array_index (self->facts->events, PdAllprofEvent, self->next_event++);
      if (event->kind == PD_ALLPROF_EVENT_USE)
        {
          index = event->index;
          break;
        }
    }
  pd_allprof_handles_put (self->handles, &self->call->comm, index);
  return index;
}

gboolean
pd_allprof_get_bytes (const PdAllprofMaker *self, gint64 count, gint64 size, gint64 *bytes,
                      GError **error)
{
  if (count >= 0 && size >= 0 && (size == 0 || count <= G_MAXINT64 / size))
    {
      *bytes = count * size;
      return TRUE;
    }
  return pd_allprof_lines_fail (self->lines, error, PD_TRACE_ERROR_VALUE,
                                "%" G_GINT64_FORMAT " elements of %" G_GINT64_FORMAT " bytes",
                                count, size);
}

/* ---- point to point */

static gboolean
is_receive (PdActionKind kind)
{
  return kind == PD_ACT_RECV || kind == PD_ACT_IRECV || kind == PD_ACT_RECV_INIT
         || kind == PD_ACT_PROBE || kind == PD_ACT_IPROBE;
}

/* MPI_ANY_SOURCE is -1 and MPI_PROC_NULL -2, with MPICH the other way round. */
static gint32
get_peer (const PdAllprofMaker *self, gint64 peer, gboolean receives)
{
  if (peer >= 0)
    return (gint32) MIN (peer, G_MAXINT32);
  return receives && peer == (self->facts->mpich ? -2 : -1) ? PD_PROGRAM_ANY : PD_PROGRAM_PROC_NULL;
}

static gboolean
get_tag (const PdAllprofMaker *self, gint64 tag, gint32 peer, gboolean receives, gint32 *result,
         GError **error)
{
  *result = (gint32) tag;
  if (peer == PD_PROGRAM_PROC_NULL)
    *result = 0;
  else if (receives && tag < 0)
    *result = PD_PROGRAM_ANY;
  else if (tag < 0 || tag > G_MAXINT32)
    return pd_allprof_lines_fail (self->lines, error, PD_TRACE_ERROR_VALUE, "tag %" G_GINT64_FORMAT,
                                  tag);
  return TRUE;
}

/* The receiving half of Sendrecv; of Sendrecv_replace it is as large as the other. */
static gboolean
fill_second (const PdAllprofMaker *self, PdAction *action, GError **error)
{
  const PdAllprofCall *call = self->call;
  gboolean replaces = strchr (call->function->arguments, 'N') == NULL;

  action->recv_peer = get_peer (self, call->peer[1], TRUE);
  return get_tag (self, call->tag[1], action->recv_peer, TRUE, &action->recv_tag, error)
         && pd_allprof_get_bytes (self, call->count[!replaces], call->size[!replaces],
                                  &action->recv_bytes, error);
}

static gboolean
make_p2p (PdAllprofMaker *self, GError **error)
{
  const PdAllprofCall *call = self->call;
  const PdAllprofFunction *function = call->function;
  gboolean receives = is_receive (function->action);
  gboolean probes = function->action == PD_ACT_PROBE || function->action == PD_ACT_IPROBE;
  PdAction action;

  pd_action_init (&action, function->action);
  action.comm = pd_allprof_get_comm (self);
  action.peer = get_peer (self, call->peer[0], receives);
  if (!get_tag (self, call->tag[0], action.peer, receives, &action.tag, error)
      || (!probes
          && !pd_allprof_get_bytes (self, call->count[0], call->size[0], &action.bytes, error))
      || (function->action == PD_ACT_SENDRECV && !fill_second (self, &action, error)))
    return FALSE;
  if (function->class == PD_ALLPROF_STARTS || function->class == PD_ALLPROF_PREPARES)
    action.request =
        pd_allprof_open_slot (self, call->request, function->class == PD_ALLPROF_PREPARES);
  return pd_allprof_add (self, &action, error);
}

/* ---- the rest */

static gboolean
make_other (PdAllprofMaker *self, GError **error)
{
  g_autofree char *name = g_strndup (self->call->name, self->call->name_length);
  gint64 duration = get_duration (self);
  PdAction action;

  warn (self, "unknown-function", name, " is not modelled: it takes as long as it was recorded");
  pd_action_init (&action, PD_ACT_OTHER);
  action.name = pd_program_builder_add_string (self->builder, name);
  action.amount.time = PD_TIME (MAX (duration, 0));
  return pd_allprof_add (self, &action, error);
}

static gboolean
make_call (PdAllprofMaker *self, GError **error)
{
  const PdAllprofFunction *function = self->call->function;

  if (function == NULL)
    return make_other (self, error);
  if (self->call->has_comm)
    (void) pd_allprof_get_comm (self);
  switch (function->class)
    {
    case PD_ALLPROF_LOCAL:
      return TRUE; /* its time is computation */
    case PD_ALLPROF_INIT:
      self->clock = self->call->has_end ? self->call->end : 0;
      return TRUE;
    case PD_ALLPROF_FINALIZE:
      self->finish = self->call->has_start ? self->call->start : self->clock;
      return add_computation (self, error);
    case PD_ALLPROF_P2P:
    case PD_ALLPROF_STARTS:
    case PD_ALLPROF_PREPARES:
      return make_p2p (self, error);
    case PD_ALLPROF_COLL:
    case PD_ALLPROF_MAKES:
      return pd_allprof_make_collective (self, error);
    case PD_ALLPROF_COMM_FREE:
      g_hash_table_remove_all (self->handles);
      return TRUE;
    case PD_ALLPROF_OTHER:
      return make_other (self, error);
    default:
      return pd_allprof_make_request_call (self, error);
    }
}

static gboolean
make_rank (PdAllprofMaker *self, gboolean *incomplete, GError **error)
{
  g_autoptr (GError) problem = NULL;

  while (pd_allprof_lines_next (self->lines, &problem))
    if (!make_call (self, error))
      return FALSE;
  if (!pd_propagate (error, g_steal_pointer (&problem)))
    return FALSE;
  if (self->lines->ended)
    {
      pd_program_builder_set_recorded_end (self->builder, self->rank,
                                           PD_TIME (MAX (self->finish, 0)));
      return TRUE;
    }
  *incomplete = TRUE;
  warn (self, "trace-incomplete", "", "the file ends before MPI_Finalize");
  return TRUE;
}

/* ---- all ranks */

typedef struct
{
  const PdTraceSource *files;
  guint32 n;
  const PdTraceReadOptions *options;
  PdMessages *messages;
  PdProgramBuilder *builder;
  PdAllprofFacts *facts;
} Reading;

static gboolean
scan_file (Reading *self, guint32 rank, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (&self->files[rank], error);
  PdAllprofLines lines;
  gboolean ok;

  if (input == NULL)
    return FALSE;
  pd_allprof_lines_init (&lines, input, pd_trace_source_get_name (&self->files[rank]), rank);
  ok = pd_allprof_scan (&lines, &self->facts[rank], error);
  pd_allprof_lines_clear (&lines);
  return ok;
}

static void
maker_init (PdAllprofMaker *self, const Reading *reading, PdAllprofLines *lines, guint32 rank)
{
  *self = (PdAllprofMaker){ .lines = lines,
                            .call = &lines->call,
                            .facts = &reading->facts[rank],
                            .builder = reading->builder,
                            .messages = reading->messages,
                            .recorded = reading->options->recorded,
                            .rank = rank };
  self->handles = pd_allprof_handles_new ();
  self->requests = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->free_slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->done = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->bytes = g_array_new (FALSE, FALSE, sizeof (gint64));
}

static void
maker_clear (PdAllprofMaker *self)
{
  g_hash_table_unref (self->handles);
  g_hash_table_unref (self->requests);
  g_array_unref (self->free_slots);
  g_array_unref (self->addresses);
  g_array_unref (self->slots);
  g_array_unref (self->done);
  g_array_unref (self->bytes);
}

static gboolean
read_file (Reading *self, guint32 rank, gboolean *incomplete, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (&self->files[rank], error);
  PdAllprofLines lines;
  PdAllprofMaker maker;
  gboolean ok;

  if (input == NULL)
    return FALSE;
  pd_allprof_lines_init (&lines, input, pd_trace_source_get_name (&self->files[rank]), rank);
  maker_init (&maker, self, &lines, rank);
  ok = make_rank (&maker, incomplete, error);
  if (ok)
    pd_input_report (input, self->messages,
                     &(PdPlace){ .file = lines.name, .number = -1, .rank = rank, .is_mp = TRUE });
  maker_clear (&maker);
  pd_allprof_lines_clear (&lines);
  return ok;
}

static gboolean
read_all (Reading *self, gboolean *incomplete, GError **error)
{
  g_autofree GArray **events = g_new (GArray *, self->n);

  for (guint32 rank = 0; rank < self->n; rank++)
    if (!scan_file (self, rank, error))
      return FALSE;
  for (guint32 rank = 0; rank < self->n; rank++)
    events[rank] = self->facts[rank].events;
  if (!pd_allprof_resolve (events, self->n, self->builder, error))
    {
      g_prefix_error (error, "%s: ", pd_trace_source_get_name (&self->files[0]));
      return FALSE;
    }
  for (guint32 rank = 0; rank < self->n; rank++)
    if (!read_file (self, rank, incomplete, error))
      return FALSE;
  return TRUE;
}

PdProgram *
pd_allprof_read (const PdTraceSource *files, guint32 n, const PdTraceReadOptions *options,
                 gboolean *incomplete, PdMessages *messages, GError **error)
{
  Reading self = { .files = files, .n = n, .options = options, .messages = messages };
  PdProgram *program = NULL;

  *incomplete = FALSE;
  self.builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  self.facts = g_new0 (PdAllprofFacts, n);
  if (read_all (&self, incomplete, error))
    program = pd_program_builder_finish (g_steal_pointer (&self.builder));
  pd_program_builder_free (self.builder);
  for (guint32 rank = 0; rank < n; rank++)
    pd_allprof_facts_clear (&self.facts[rank]);
  g_free (self.facts);
  return program;
}
