/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-compare.h"

#include "scale/pd-scale-reader.h"
#include "traces/program/pd-action.h"

gboolean
pd_scale_is_compared (PdActionKind kind)
{
  switch (kind)
    {
    case PD_ACT_COMPUTE:
    case PD_ACT_DELAY:
    case PD_ACT_ENTER:
    case PD_ACT_LEAVE:
    case PD_ACT_LOCATION:
    case PD_ACT_LOCAL:
      return FALSE;
    default:
      return TRUE;
    }
}

static gboolean
next (PdScaleReader *side, PdAction *action)
{
  while (pd_scale_reader_next (side, action))
    if (pd_scale_is_compared (action->kind))
      return TRUE;
  return FALSE;
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
has_slot (const PdAction *action, guint32 slot)
{
  for (guint32 i = 0; i < action->n_slots; i++)
    if (action->slots[i] == slot)
      return TRUE;
  return FALSE;
}

/* Requests are waited for in any order. */
static gboolean
same_slots (const PdAction *a, const PdAction *b)
{
  gboolean is_all = a->kind == PD_ACT_WAITALL;

  for (guint32 i = 0; i < a->n_slots && a->n_slots == b->n_slots; i++)
    if (a->slots[i] != b->slots[i] && !(is_all && has_slot (b, a->slots[i])))
      return FALSE;
  return a->n_slots == b->n_slots && a->request == b->request;
}

static gboolean
equal (const PdScaleReader *a, const PdAction *one, const PdScaleReader *b, const PdAction *two)
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

/* Or a root. */
static gboolean
has_partner (const PdAction *action)
{
  PdActionKind kind = action->kind;

  return (kind >= PD_ACT_SEND && kind <= PD_ACT_RECV_INIT)
         || (kind >= PD_ACT_PROBE && kind <= PD_ACT_ICOLLECTIVE)
         || (kind >= PD_ACT_PUT && kind <= PD_ACT_RGET_ACCUMULATE)
         || (kind >= PD_ACT_WIN_LOCK && kind <= PD_ACT_WIN_FLUSH);
}

static gboolean
equal_partner (const PdScaleReader *a, const PdAction *one, const PdScaleReader *b,
               const PdAction *two)
{
  return one->kind == two->kind && one->op == two->op && one->peer == two->peer
         && one->recv_peer == two->recv_peer
         && same_members (a->program, one->comm, b->program, two->comm);
}

static void
compare_rank (PdScaleReader *truth, PdScaleReader *made, guint32 rank, PdScaleComparison *result)
{
  PdAction one, two;
  gboolean is_there = TRUE;

  for (guint64 i = 0; next (truth, &one); i++)
    {
      gint64 bytes = one.kind == PD_ACT_COLLECTIVE ? one.sent_bytes : one.bytes;
      is_there = is_there && next (made, &two);
      gboolean fine = is_there && equal (truth, &one, made, &two);
      if (!fine && result->equal == result->n)
        {
          result->first_rank = rank;
          result->first_call = i;
        }
      if (has_partner (&one))
        {
          result->partners++;
          result->equal_partners += is_there && equal_partner (truth, &one, made, &two) ? 1 : 0;
        }
      result->n++;
      result->equal += fine ? 1 : 0;
      result->bytes += (guint64) bytes;
      result->equal_bytes += fine ? (guint64) bytes : 0;
    }
}

void
pd_scale_compare (const PdProgram *truth, const PdProgram *made, gboolean settles,
                  PdScaleComparison *result)
{
  g_return_if_fail (pd_program_get_n_ranks (truth) == pd_program_get_n_ranks (made));

  *result = (PdScaleComparison){ 0 };
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (truth); rank++)
    {
      PdScaleReader one, two;
      pd_scale_reader_init (&one, truth, rank, settles);
      pd_scale_reader_init (&two, made, rank, settles);
      compare_rank (&one, &two, rank, result);
      pd_scale_reader_clear (&one);
      pd_scale_reader_clear (&two);
    }
}
