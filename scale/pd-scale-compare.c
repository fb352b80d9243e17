/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-compare.h"

#include "traces/program/pd-action-reader.h"

typedef struct
{
  const PdProgram *program;
  PdActionReader reader;
} Side;

/* Not computation, which is modelled, and not what only says where a call is. */
static gboolean
counts (const PdAction *action)
{
  switch (action->kind)
    {
    case PD_ACT_COMPUTE:
    case PD_ACT_DELAY:
    case PD_ACT_ENTER:
    case PD_ACT_LEAVE:
    case PD_ACT_LOCATION:
      return FALSE;
    default:
      return TRUE;
    }
}

/* NULL: there is none. */
static const PdAction *
next (Side *side)
{
  const PdAction *action = pd_action_reader_next (&side->reader);

  while (action != NULL && !counts (action))
    action = pd_action_reader_next (&side->reader);
  return action;
}

static gboolean
same_members (const PdProgram *a, guint32 comm, const PdProgram *b, guint32 other)
{
  guint32 n, n_other;
  const guint32 *one = pd_program_get_comm (a, comm, &n);
  const guint32 *two = pd_program_get_comm (b, other, &n_other);

  for (guint32 i = 0; i < n && n == n_other; i++)
    if ((one != NULL ? one[i] : i) != (two != NULL ? two[i] : i))
      return FALSE;
  return n == n_other;
}

static gboolean
same_counts (const PdProgram *a, guint32 counts_a, const PdProgram *b, guint32 counts_b)
{
  guint32 n, n_other;

  if (counts_a == PD_PROGRAM_NONE || counts_b == PD_PROGRAM_NONE)
    return counts_a == counts_b;
  const gint64 *one = pd_program_get_counts (a, counts_a, &n);
  const gint64 *two = pd_program_get_counts (b, counts_b, &n_other);
  for (guint32 i = 0; i < n && n == n_other; i++)
    if (one[i] != two[i])
      return FALSE;
  return n == n_other;
}

static gboolean
same_slots (const PdAction *a, const PdAction *b)
{
  for (guint32 i = 0; i < a->n_slots && a->n_slots == b->n_slots; i++)
    if (a->slots[i] != b->slots[i])
      return FALSE;
  return a->n_slots == b->n_slots && a->request == b->request;
}

static gboolean
equal (const Side *a, const PdAction *one, const Side *b, const PdAction *two)
{
  return one->kind == two->kind && one->op == two->op && one->peer == two->peer
         && one->tag == two->tag && one->bytes == two->bytes && one->recv_peer == two->recv_peer
         && one->recv_tag == two->recv_tag && one->recv_bytes == two->recv_bytes
         && one->sent_bytes == two->sent_bytes && same_slots (one, two)
         && same_members (a->program, one->comm, b->program, two->comm)
         && same_counts (a->program, one->send_counts, b->program, two->send_counts)
         && same_counts (a->program, one->recv_counts, b->program, two->recv_counts)
         && same_counts (a->program, one->sources, b->program, two->sources)
         && same_counts (a->program, one->targets, b->program, two->targets);
}

static void
compare_rank (Side *truth, Side *made, guint32 rank, PdScaleComparison *result)
{
  const PdAction *one, *two = NULL;

  pd_action_reader_begin (&truth->reader, rank);
  pd_action_reader_begin (&made->reader, rank);
  for (guint64 i = 0; (one = next (truth)) != NULL; i++)
    {
      gint64 bytes = one->kind == PD_ACT_COLLECTIVE ? one->sent_bytes : one->bytes;
      two = i == 0 || two != NULL ? next (made) : NULL;
      gboolean fine = two != NULL && equal (truth, one, made, two);
      if (!fine && result->equal == result->n)
        {
          result->first_rank = rank;
          result->first_call = i;
        }
      result->n++;
      result->equal += fine ? 1 : 0;
      result->bytes += (guint64) bytes;
      result->equal_bytes += fine ? (guint64) bytes : 0;
    }
}

void
pd_scale_compare (const PdProgram *truth, const PdProgram *made, PdScaleComparison *result)
{
  g_return_if_fail (pd_program_get_n_ranks (truth) == pd_program_get_n_ranks (made));

  Side one = { .program = truth }, two = { .program = made };

  *result = (PdScaleComparison){ 0 };
  pd_action_reader_init (&one.reader, truth);
  pd_action_reader_init (&two.reader, made);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (truth); rank++)
    compare_rank (&one, &two, rank, result);
  pd_action_reader_clear (&one.reader);
  pd_action_reader_clear (&two.reader);
}
