/* Programs that cannot continue: the waits of ranks, and the cycle in them.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"

#include "base/pd-text.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "comsys/p2p/pd-scheduler.h"
#include "predictor/mp/pd-mp-deadlock-private.h"
#include "predictor/mp/pd-mp-place-private.h"
#include "predictor/mp/pd-mp-run.h"
#include "traces/program/pd-action.h"

#include <string.h>

/* Rows of the deadlock table. */
#define MAX_BLOCKED_SHOWN 16
/* Ranks of a circle that are named. */
#define MAX_CIRCLE_SHOWN 12

#define NOBODY G_MAXUINT32

/* ---- the table */

static void
append_where (const PdMp *self, guint32 rank, GString *text)
{
  PdMpPlace place = pd_mp_find_place (self, rank, pd_mp_get_step (self, rank));

  g_string_append_printf (text, "action %" G_GUINT64_FORMAT, place.number);
  if (place.file == NULL)
    return;
  g_autofree char *file = pd_text_show (place.file);
  g_string_append_printf (text, " at %s:%" G_GINT64_FORMAT, file, place.line);
}

static void
describe_blocked (const PdMp *self, guint32 rank, GString *table)
{
  PdBlocked blocked;
  PdAction action;

  pd_action_read (self->ranks[rank].cell, &action);
  pd_comsys_get_blocked (self->comsys, rank, &blocked);
  pd_blocked_append (table, rank, pd_action_name (&action), &blocked);
  g_string_append (table, "  ");
  append_where (self, rank, table);
}

/* ---- the circle */

/* Every blocked rank waits for one other at least: following these ends at one that
 * has ended, or where it has been before. */
typedef struct
{
  const PdMp *self;
  guint32 lowest;     /* blocked rank, */
  guint32 second;     /* and the next one, or NOBODY */
  guint32 *seen;      /* (array length=n): 1 + the rank at which the walk began that met it */
  GHashTable *absent; /* communicator + 1 -> member that is not in the operation + 1 */
} Walk;

static gboolean
has_ended (const PdMp *self, guint32 rank)
{
  return self->ranks[rank].cell == self->ranks[rank].end;
}

/* Whether all members of the communicator take part in @action. */
static gboolean
is_of_all (const PdAction *action)
{
  return action->kind == PD_ACT_COLLECTIVE || action->kind == PD_ACT_WIN_FENCE;
}

static gboolean
is_in_collective (const PdMp *self, guint32 rank, guint32 comm)
{
  PdAction action;

  if (has_ended (self, rank))
    return FALSE;
  pd_action_read (self->ranks[rank].cell, &action);
  return is_of_all (&action) && action.comm == comm;
}

/* The first member of @comm that is not in its operation. */
static guint32
find_absent (Walk *walk, guint32 comm)
{
  gpointer known = g_hash_table_lookup (walk->absent, GUINT_TO_POINTER (comm + 1));
  guint32 n, found = NOBODY;
  const guint32 *ranks = pd_program_get_comm (walk->self->program, comm, &n);

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  for (guint32 i = 0; i < n && found == NOBODY; i++)
    if (!is_in_collective (walk->self, ranks != NULL ? ranks[i] : i, comm))
      found = ranks != NULL ? ranks[i] : i;
  if (found != NOBODY)
    g_hash_table_insert (walk->absent, GUINT_TO_POINTER (comm + 1), GUINT_TO_POINTER (found + 1));
  return found;
}

/* Whom @rank waits for. Anybody is the first who might still do it. */
static guint32
find_awaited (Walk *walk, guint32 rank)
{
  PdBlocked blocked;
  PdAction action;

  pd_comsys_get_blocked (walk->self->comsys, rank, &blocked);
  if (blocked.peer >= 0 && blocked.peer < walk->self->n)
    return (guint32) blocked.peer;
  pd_action_read (walk->self->ranks[rank].cell, &action);
  if (is_of_all (&action))
    return find_absent (walk, action.comm);
  return rank != walk->lowest ? walk->lowest : walk->second;
}

/* A rank of the circle that the ranks after @start wait in; NOBODY if they wait for
 * one that has ended, or were met before. */
static guint32
find_circle (Walk *walk, guint32 start)
{
  guint32 rank = start;

  while (rank != NOBODY && !has_ended (walk->self, rank) && walk->seen[rank] == 0)
    {
      walk->seen[rank] = start + 1;
      rank = find_awaited (walk, rank);
    }
  if (rank == NOBODY || has_ended (walk->self, rank))
    return NOBODY;
  return walk->seen[rank] == start + 1 ? rank : NOBODY;
}

static void
append_rank (const PdMp *self, guint32 rank, GString *text)
{
  PdAction action;

  pd_action_read (self->ranks[rank].cell, &action);
  g_string_append_printf (text, "rank %u (%s, ", rank, pd_action_name (&action));
  append_where (self, rank, text);
  g_string_append_c (text, ')');
}

/* From its lowest rank, so that it does not depend on where it was found. */
static void
append_circle (Walk *walk, guint32 member, GString *text)
{
  guint32 lowest = member, n = 1;

  for (guint32 rank = find_awaited (walk, member); rank != member;
       rank = find_awaited (walk, rank), n++)
    lowest = MIN (lowest, rank);
  g_string_append (text, "cycle: ");
  for (guint32 i = 0, rank = lowest; i < MIN (n, MAX_CIRCLE_SHOWN); i++)
    {
      append_rank (walk->self, rank, text);
      g_string_append (text, " waits for ");
      rank = find_awaited (walk, rank);
    }
  if (n > MAX_CIRCLE_SHOWN)
    g_string_append_printf (text, "… %u more, the last of which waits for ", n - MAX_CIRCLE_SHOWN);
  g_string_append_printf (text, "rank %u", lowest);
}

/* No circle: the lowest blocked rank waits, perhaps through others, for nothing. */
static void
append_end (Walk *walk, GString *text)
{
  guint32 rank = walk->lowest, next = find_awaited (walk, rank);

  while (next != NOBODY && !has_ended (walk->self, next))
    {
      rank = next;
      next = find_awaited (walk, rank);
    }
  append_rank (walk->self, rank, text);
  if (next == NOBODY)
    g_string_append (text, " waits for a rank that has ended");
  else
    g_string_append_printf (text, " waits for rank %u, which has ended", next);
}

static char *
describe_chain (const PdMp *self)
{
  g_autofree guint32 *seen = g_new0 (guint32, self->n);
  g_autoptr (GHashTable) absent = g_hash_table_new (NULL, NULL);
  Walk walk = { self, 0, NOBODY, seen, absent };
  GString *text = g_string_new (NULL);
  guint32 member = NOBODY;

  while (has_ended (self, walk.lowest))
    walk.lowest++;
  for (guint32 rank = walk.lowest + 1; rank < self->n && walk.second == NOBODY; rank++)
    walk.second = has_ended (self, rank) ? NOBODY : rank;
  for (guint32 rank = 0; rank < self->n && member == NOBODY; rank++)
    if (!has_ended (self, rank) && seen[rank] == 0)
      member = find_circle (&walk, rank);
  if (member != NOBODY)
    append_circle (&walk, member, text);
  else
    append_end (&walk, text);
  return g_string_free (text, FALSE);
}

void
pd_mp_report_deadlock (const PdMp *self, GError **error)
{
  g_autoptr (GString) table = g_string_new (NULL);
  g_autofree char *chain = describe_chain (self);
  guint32 shown = 0, blocked = self->n - self->n_finished;

  for (guint32 rank = 0; rank < self->n && shown < MAX_BLOCKED_SHOWN; rank++)
    {
      if (self->ranks[rank].cell == self->ranks[rank].end)
        continue;
      describe_blocked (self, rank, table);
      shown++;
    }
  if (blocked > shown)
    g_string_append_printf (table, "\n… and %u more", blocked - shown);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK,
               "deadlock: %u of %u ranks wait for ever\n" PD_BLOCKED_HEADING "%s\n%s", blocked,
               self->n, table->str, chain);
}
