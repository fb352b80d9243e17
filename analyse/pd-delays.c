/* Waiting is charged to its causes. Waits are processed from the last one back. Each has its own
 * time, and the time that later waits have passed on to it. Both are divided among the places in
 * which the rank that was waited for took longer than the one that waited, since the two were last
 * in step, in proportion to the difference. The share of waiting of that rank itself is passed on
 * to its waits.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-delays-private.h"
#include "base/pd-hash-map.h"

#define NONE PD_ANALYSIS_NONE

/* Waiting in one interval, in a list by interval. */
typedef struct
{
  PdWide time;
  guint32 node;
  guint32 next;
} Passed;

/* The receiver of a part of the time: a place, or a wait of the rank that was waited for. */
typedef struct
{
  guint32 index;
  gint64 weight;
} Target;

/* Those of a kind; the last kind is waiting. */
#define WAITING PD_N_DELAYS
typedef struct
{
  PdVector targets; /* Target */
  gint64 whole;     /* of their weights */
  gint64 excess;    /* of the rank that was waited for over the other one, in this kind; >= 0 */
} Group;

typedef enum
{
  WAITER,
  CULPRIT,
} Side;

/* The times of two ranks in a place since they were in step. */
typedef struct
{
  gint64 times[2]; /* by Side */
  gboolean touched;
} Compared;

/* The row of a key; @b: 0 = there is none. */
typedef struct
{
  guint64 a;
  guint64 b;
  guint32 row;
} Recent;

#define RECENT_BITS 9

/* A call that waited, with its rank and interval. */
typedef struct
{
  const PdWaited *call;
  guint32 rank; /* the one that waited, */
  guint32 node; /* and its interval */
} Wait;

typedef struct
{
  PdDelays *result;
  PdWaits *waits;
  const PdVector *moments;
  PdStretches *stretches;
  PdHashMap cost_index;   /* interval, rank and place -> PdDelayCost */
  PdHashMap victim_index; /* cost and rank -> PdDelayVictim */
  Recent recent_costs[1 << RECENT_BITS];
  Recent recent_victims[1 << RECENT_BITS];
  GArray *passed;     /* Passed, as lists */
  guint32 unused;     /* a list of those */
  guint32 *heads;     /* (array length=n_waits): the list of each wait */
  guint *in_step;     /* (array length=n_ranks): its first moment that is not before the present
                       * cause: causes descend */
  guint32 *next_wait; /* (array length=n_ranks): likewise its first wait */
  Compared *compared; /* (array length=n_places) */
  guint32 *touched;   /* (array length=n_touched): places in @compared; with room for another */
  guint n_touched;
  Group groups[PD_N_DELAYS + 1];
} Divider;

/* ---- costs */

/* Where a new row is, as the value of a table of such. */
#define NEW_ROW G_MAXUINT64

/* The row of a key, @next if it is new; one that comes again soon is found where it was last. */
static guint32
find_row (PdHashMap *index, Recent *all, guint64 a, guint64 b, guint32 next)
{
  guint64 mixed = (a ^ a >> 32 ^ b * 31) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  Recent *recent = &all[mixed >> (64 - RECENT_BITS)];

  if (recent->a == a && recent->b == b)
    return recent->row;
  uint64_t *known = pd_hash_map_get (index, a, b, NEW_ROW);
  if (*known == NEW_ROW)
    *known = next;
  *recent = (Recent){ a, b, (guint32) *known };
  return recent->row;
}

static guint32
find_cost (Divider *self, guint32 node, guint32 rank, guint32 place)
{
  GArray *costs = self->result->costs;
  guint32 row = find_row (&self->cost_index, self->recent_costs, (guint64) rank << 32 | place,
                          (guint64) node + 1, costs->len);

  if (row == costs->len)
    {
      const PdDelayCost cost = { .at = node, .rank = rank, .place = place };
      g_array_append_val (costs, cost);
    }
  return row;
}

static guint32
find_victim (Divider *self, guint32 cost, guint32 rank)
{
  GArray *victims = self->result->victims;
  guint32 row =
      find_row (&self->victim_index, self->recent_victims, cost, (guint64) rank + 1, victims->len);

  if (row == victims->len)
    {
      const PdDelayVictim victim = { .cost = cost, .rank = rank };
      g_array_append_val (victims, victim);
    }
  return row;
}

static void
charge_place (Divider *self, const Wait *wait, guint32 place, const Passed *part, gboolean is_own)
{
  guint32 index = find_cost (self, part->node, wait->call->culprit, place);
  PdDelayCost *cost = &g_array_index (self->result->costs, PdDelayCost, index);

  if (!is_own)
    {
      cost->propagated += part->time;
      return;
    }
  cost->direct += part->time;
  guint32 victim = find_victim (self, index, wait->rank);
  g_array_index (self->result->victims, PdDelayVictim, victim).time += part->time;
}

static guint32
new_passed (Divider *self, const Passed *passed)
{
  guint32 index = self->unused;

  if (index == NONE)
    {
      g_array_append_val (self->passed, *passed);
      return self->passed->len - 1;
    }
  Passed *own = &g_array_index (self->passed, Passed, index);
  self->unused = own->next;
  *own = *passed;
  return index;
}

static void
pass_on (Divider *self, guint32 wait, const Passed *part)
{
  guint32 before = NONE, at = self->heads[wait];

  while (at != NONE && g_array_index (self->passed, Passed, at).node < part->node)
    {
      before = at;
      at = g_array_index (self->passed, Passed, at).next;
    }
  if (at != NONE && g_array_index (self->passed, Passed, at).node == part->node)
    {
      g_array_index (self->passed, Passed, at).time += part->time;
      return;
    }
  const Passed passed = { part->time, part->node, at };
  guint32 index = new_passed (self, &passed);
  if (before == NONE)
    self->heads[wait] = index;
  else
    g_array_index (self->passed, Passed, before).next = index;
}

/* ---- what one did longer than the other */

/* Without a branch: whether a place comes again cannot be foretold. Returns: how many are touched
 * now, @n before. */
static inline guint
touch (const Divider *self, guint n, guint32 place, gint64 time, Side side)
{
  Compared *compared = &self->compared[place];

  self->touched[n] = place;
  n += !compared->touched;
  compared->touched = TRUE;
  compared->times[side] += time;
  return n;
}

/* The stretches of @rank behind its moment @since (NONE: from its beginning) up to that of the
 * present cause. */
static void
touch_rank (Divider *self, guint32 rank, guint since, Side side)
{
  const PdVector *stretches = &self->stretches->ranks[rank];
  const PdVector *firsts = &self->stretches->firsts[rank];
  guint first = since == NONE ? 0 : since + 1;

  const guint8 *bytes = stretches->data;
  const guint8 *at = bytes + 4 * (gsize) pd_vector_at (firsts, guint32, first);
  const guint8 *end = bytes + 4 * (gsize) pd_vector_at (firsts, guint32, self->in_step[rank] + 1);
  guint n = self->n_touched;
  while (at < end)
    if (G_UNLIKELY (*at == 0))
      at++;
    else
      {
        guint32 place;
        gint64 time;
        at = pd_stretch_read (at, &place, &time);
        n = touch (self, n, place, time, side);
      }
  self->n_touched = n;
}

static gint64
overlap (const PdWaited *wait, gint64 since, gint64 until)
{
  return MAX (MIN (wait->cause, until) - MAX (wait->enter, since), 0);
}

/* The first wait of @rank that ends at @since or later; this is not behind the present cause. */
static guint32
find_wait (const Divider *self, guint32 rank, gint64 since)
{
  guint32 first = self->waits->first[rank], i = self->next_wait[rank];

  while (i > first && pd_vector_at (&self->waits->all, PdWaited, i - 1).cause >= since)
    i--;
  return i;
}

/* What @rank waited in the time. */
static gint64
sum_waits (const Divider *self, guint32 rank, gint64 since, gint64 until)
{
  gint64 sum = 0;

  for (guint32 i = find_wait (self, rank, since); i < self->waits->first[rank + 1]; i++)
    {
      const PdWaited *wait = &pd_vector_at (&self->waits->all, PdWaited, i);
      if (wait->enter >= until)
        break;
      sum += overlap (wait, since, until);
    }
  return sum;
}

/* Waits of the culprit become targets. One that does not end before @until cannot be its
 * cause: it counts as the call that it is. */
static void
group_waits (Divider *self, guint32 culprit, gint64 since, gint64 until)
{
  Group *group = &self->groups[WAITING];

  for (guint32 i = find_wait (self, culprit, since); i < self->waits->first[culprit + 1]; i++)
    {
      const PdWaited *wait = &pd_vector_at (&self->waits->all, PdWaited, i);
      const Target target = { i, overlap (wait, since, until) };
      if (wait->enter >= until)
        break;
      if (wait->cause >= until)
        self->n_touched = touch (self, self->n_touched, wait->place, target.weight, CULPRIT);
      else if (target.weight > 0)
        {
          group->whole += target.weight;
          pd_vector_append (&group->targets, Target) = target;
        }
    }
}

static void
group_places (Divider *self)
{
  for (guint i = 0; i < self->n_touched; i++)
    {
      guint32 place = self->touched[i];
      Compared *compared = &self->compared[place];
      Group *group =
          &self->groups[g_array_index (self->stretches->places, PdDelayPlace, place).kind];
      const Target target = { place, compared->times[CULPRIT] - compared->times[WAITER] };
      group->excess += target.weight;
      if (target.weight > 0)
        {
          group->whole += target.weight;
          pd_vector_append (&group->targets, Target) = target;
        }
      *compared = (Compared){ 0 };
    }
  self->n_touched = 0;
}

/* The present cause is @cause, on the way of @rank. */
static void
go_back (Divider *self, guint32 rank, gint64 cause)
{
  const PdVector *moments = &self->moments[rank];
  guint i = self->in_step[rank];

  while (i > 0 && pd_in_step_time (self->waits, moments, i - 1) >= cause)
    i--;
  self->in_step[rank] = i;
  self->next_wait[rank] = find_wait (self, rank, cause);
}

static void
compare_ranks (Divider *self, const Wait *wait)
{
  const guint32 ranks[2] = { wait->rank, wait->call->culprit };
  gint64 cause = wait->call->cause;
  guint own = NONE, other = NONE;
  gint64 since = 0;
  Group *waiting = &self->groups[WAITING];

  for (guint i = 0; i <= WAITING; i++)
    {
      self->groups[i].targets.n = 0;
      self->groups[i].whole = self->groups[i].excess = 0;
    }
  go_back (self, ranks[0], cause);
  go_back (self, ranks[1], cause);
  if (pd_in_step_find (self->waits, self->moments, ranks, self->in_step, &own, &other))
    since = pd_in_step_time (self->waits, &self->moments[ranks[0]], own);
  touch_rank (self, ranks[0], own, WAITER);
  touch_rank (self, ranks[1], other, CULPRIT);
  group_waits (self, ranks[1], since, cause);
  waiting->excess = waiting->whole - sum_waits (self, ranks[0], since, wait->call->enter);
  group_places (self);
  for (guint i = 0; i <= WAITING; i++)
    self->groups[i].excess = MAX (self->groups[i].excess, 0);
}

/* ---- division */

/* @amount * @part / @whole, rounded down. */
static PdWide
share_of (PdWide amount, gint64 part, gint64 whole)
{
  gint64 product;

  if (part == whole)
    return amount;
  /* most times are short: divided without 128 bits, which takes ten times as long */
  if (amount <= G_MAXINT64 && !__builtin_mul_overflow ((gint64) amount, part, &product))
    return product / whole;
  return amount / whole * part + amount % whole * part / whole;
}

/* Of several parts each gets what the sum up to it exceeds that up to the one before. */
static void
divide_group (Divider *self, const Wait *wait, const Group *group, const Passed *part,
              gboolean is_own)
{
  PdWide given = 0;
  gint64 sum = 0;

  for (gsize i = 0; i < group->targets.n; i++)
    {
      const Target *target = &pd_vector_at (&group->targets, Target, i);
      sum += target->weight;
      PdWide up_to = share_of (part->time, sum, group->whole);
      const Passed own = { up_to - given, part->node, NONE };
      if (own.time > 0 && group == &self->groups[WAITING])
        pass_on (self, target->index, &own);
      else if (own.time > 0)
        charge_place (self, wait, target->index, &own, is_own);
      given = up_to;
    }
}

static void
divide (Divider *self, const Wait *wait, const Passed *part, gboolean is_own)
{
  gint64 whole = 0, sum = 0;
  PdWide given = 0;

  for (guint i = 0; i <= WAITING; i++)
    whole += self->groups[i].excess;
  if (whole == 0) /* the cause is no moment of the culprit's life */
    {
      charge_place (self, wait, wait->call->place, part, is_own);
      return;
    }
  for (guint i = 0; i <= WAITING; i++)
    {
      if (self->groups[i].excess == 0)
        continue;
      sum += self->groups[i].excess;
      PdWide up_to = share_of (part->time, sum, whole);
      const Passed own = { up_to - given, part->node, NONE };
      if (own.time > 0)
        divide_group (self, wait, &self->groups[i], &own, is_own);
      given = up_to;
    }
}

static void
charge_wait (Divider *self, guint32 index)
{
  const PdWaited *call = pd_delay_waits_get (self->waits, index);
  const GArray *places = self->stretches->places;
  const Wait wait = { call, pd_delay_waits_rank (self->waits, index),
                      g_array_index (places, PdDelayPlace, call->place).node };
  const Passed own = { call->cause - call->enter, wait.node, NONE };

  self->result->waiting[wait.node].ps += own.time;
  compare_ranks (self, &wait);
  divide (self, &wait, &own, TRUE);
  for (guint32 at = self->heads[index]; at != NONE;)
    {
      const Passed part = g_array_index (self->passed, Passed, at);
      divide (self, &wait, &part, FALSE);
      g_array_index (self->passed, Passed, at).next = self->unused;
      self->unused = at;
      at = part.next;
    }
}

/* ---- the whole */

static void
divide_all (PdDelays *result, PdWaits *waits, const PdVector *moments, PdStretches *stretches)
{
  g_autoptr (GArray) passed = g_array_new (FALSE, FALSE, sizeof (Passed));
  PdVector lists = { 0 };
  guint32 *heads = pd_vector_set_size (&lists, waits->all.n, sizeof *heads);
  g_autofree Compared *compared = g_new0 (Compared, stretches->places->len + 1);
  g_autofree guint32 *touched = g_new (guint32, stretches->places->len + 1);
  g_autofree guint *in_step = g_new (guint, waits->n_ranks);
  g_autofree guint32 *next_wait = g_new (guint32, waits->n_ranks);
  Divider self = { .result = result,
                   .waits = waits,
                   .moments = moments,
                   .stretches = stretches,
                   .passed = passed,
                   .unused = NONE,
                   .heads = heads,
                   .in_step = in_step,
                   .next_wait = next_wait,
                   .compared = compared,
                   .touched = touched };

  for (gsize i = 0; i < waits->all.n; i++)
    heads[i] = NONE;
  for (guint32 rank = 0; rank < waits->n_ranks; rank++)
    {
      in_step[rank] = (guint) moments[rank].n;
      next_wait[rank] = waits->first[rank + 1];
    }
  for (gsize i = 0; i < waits->all.n; i++)
    charge_wait (&self, pd_vector_at (&waits->order, guint32, i));
  for (guint i = 0; i <= WAITING; i++)
    pd_vector_clear (&self.groups[i].targets);
  pd_vector_clear (&lists);
  pd_hash_map_clear (&self.cost_index);
  pd_hash_map_clear (&self.victim_index);
}

PdDelays *
pd_delays_new (PdAnalysis *analysis, PdSites *sites, PdVector *blocks, GError **error)
{
  guint32 n_ranks = pd_program_get_n_ranks (analysis->program);
  PdPath path;

  if (!pd_blocks_can_number (blocks, n_ranks, error))
    return NULL;
  pd_path_init (&path, analysis, blocks);
  g_autoptr (PdWaits) waits = pd_delay_waits_new (n_ranks, blocks);
  g_autofree PdVector *moments = pd_in_step_new (waits);
  PdStretches *stretches = pd_stretches_new (&path, sites, waits, moments, error);
  pd_path_clear (&path);
  PdDelays *self = stretches != NULL ? g_new0 (PdDelays, 1) : NULL;
  if (self != NULL)
    {
      self->waiting = g_new0 (PdTimeSum, pd_interval_tree_get_n_nodes (analysis->tree));
      self->costs = g_array_new (FALSE, FALSE, sizeof (PdDelayCost));
      self->victims = g_array_new (FALSE, FALSE, sizeof (PdDelayVictim));
      divide_all (self, waits, moments, stretches);
      self->places = pd_stretches_free (stretches);
    }
  for (guint32 rank = 0; rank < n_ranks; rank++)
    pd_vector_clear (&moments[rank]);
  return self;
}

void
pd_delays_free (PdDelays *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->places);
  g_array_unref (self->costs);
  g_array_unref (self->victims);
  g_free (self->waiting);
  g_free (self);
}
