/* All-to-all on parts of a machine: steps worked out by hand, random ones against a
 * slow count, places, and the shapes of the paper of 2019.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-alltoall-search.h"
#include "comsys/import/pd-machine-load.h"
#include "tests/support/comsys/comsys-script.h"
#include "comsys/tools/pd-alltoall-execute.h"

#include <math.h>
#include <string.h>

#define US 1000000 /* ps */

static PdMachine *
load (const char *attributes, const char *nodes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
      "<machine name='m'><network type='contention' startup='1us' sockets='2' "
      "processors-per-socket='4'%s>"
      "<table level='memory'><row size='1kB' time='10us' factors='2:3:4'/></table>"
      "<table level='interconnect'><row size='1kB' time='20us' factors='1.5:2:2.5'/></table>"
      "<table level='network'><row size='1kB' time='40us' factors='2:3:4:5:6:7:8'/></table>"
      "%s</network><software copy-per-byte='5ns'/></machine>",
      attributes, nodes);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  PdMachine *machine = pd_machine_load_bytes (bytes, "test", NULL, 1, &error);

  g_assert_no_error (error);
  return machine;
}

#define NODES    "<nodes count='4' processors='8'/>"
#define PAPER    " counts='processors' directions='together'"
#define COPY     5.0 /* us of 1000 B */
#define STEP(us) (1.0 + (us))

/* ---- by hand */

static const struct
{
  const char *name;
  const char *attributes;
  guint32 nodes, per_node, block;
  PdAlltoallSelf self;
  gboolean spread;
  gdouble time; /* us */
} hands[] = {
  { "alone", PAPER, 1, 1, 1, PD_ALLTOALL_SELF_COPY, FALSE, COPY },
  { "alone-message", PAPER, 1, 1, 1, PD_ALLTOALL_SELF_MESSAGE, FALSE, STEP (10) },
  { "alone-none", PAPER, 1, 1, 1, PD_ALLTOALL_SELF_NONE, FALSE, 0 },
  { "one-node", PAPER, 1, 2, 1, PD_ALLTOALL_SELF_COPY, FALSE, COPY + STEP (20) },
  { "two-nodes", PAPER, 2, 1, 1, PD_ALLTOALL_SELF_COPY, FALSE, COPY + STEP (40) },
  { "sockets", PAPER, 1, 2, 1, PD_ALLTOALL_SELF_NONE, TRUE, STEP (20) },
  { "messages-of-sockets", "", 1, 2, 1, PD_ALLTOALL_SELF_NONE, TRUE, STEP (30) },
  { "four-in-memory", PAPER, 1, 4, 1, PD_ALLTOALL_SELF_NONE, FALSE, 3 * STEP (40) },
  { "four-nodes", PAPER, 4, 1, 1, PD_ALLTOALL_SELF_NONE, FALSE, 3 * STEP (40) },
  { "both-ways", " directions='together'", 4, 1, 1, PD_ALLTOALL_SELF_NONE, FALSE, 3 * STEP (80) },
  /* in each step both processors of a node use its adapter */
  { "two-by-two", PAPER, 2, 2, 1, PD_ALLTOALL_SELF_NONE, FALSE, 3 * STEP (80) },
  /* what leaves in the first and the last step is of one of them, and what comes */
  { "separate", " counts='processors'", 2, 2, 1, PD_ALLTOALL_SELF_NONE, FALSE,
    2 * STEP (40) + STEP (80) },
  { "blocks-of-two", PAPER, 2, 2, 2, PD_ALLTOALL_SELF_NONE, FALSE, 2 * STEP (80) },
  { "all-at-once", PAPER, 2, 2, 99, PD_ALLTOALL_SELF_NONE, FALSE, STEP (80) },
  /* a node sends 2 * 2 messages to the other one at a time */
  { "messages-at-once", "", 2, 2, 4, PD_ALLTOALL_SELF_NONE, FALSE, STEP (160) },
};

static void
test_hand (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = load (hands[i].attributes, NODES);
  g_autofree guint32 *placement =
      pd_alltoall_place (machine, hands[i].nodes, hands[i].per_node, hands[i].spread);
  PdAlltoall what = { .n_ranks = hands[i].nodes * hands[i].per_node,
                      .placement = placement,
                      .bytes = 1000,
                      .block = hands[i].block,
                      .self = hands[i].self };

  g_assert_true (pd_alltoall_has_steps (machine));
  g_autoptr (PdAlltoallSteps) steps = pd_alltoall_get_steps (machine, &what, NULL);
  g_assert_cmpint (pd_alltoall_steps_get_time (steps, NULL).ps, ==,
                   (gint64) (hands[i].time * US + 0.5));
}

/* A level that takes longer; another one that then is the slowest. */
static void
test_scale (void)
{
  g_autoptr (PdMachine) machine = load (PAPER, NODES);
  g_autofree guint32 *placement = pd_alltoall_place (machine, 2, 2, FALSE);
  PdAlltoall what = {
    .n_ranks = 4, .placement = placement, .bytes = 1000, .block = 1, .self = PD_ALLTOALL_SELF_NONE
  };
  g_autoptr (PdAlltoallSteps) steps = pd_alltoall_get_steps (machine, &what, NULL);
  static const gdouble network[] = { 1, 1, 2 }, memory[] = { 10, 1, 1 };

  g_assert_cmpint (pd_alltoall_steps_get_time (steps, network).ps, ==, 3 * STEP (160) * US);
  /* of 4 ranks the neighbours in a node exchange in the first and the last step */
  g_assert_cmpint (pd_alltoall_steps_get_time (steps, memory).ps, ==,
                   (2 * STEP (200) + STEP (80)) * US);
}

/* ---- against a slow count */

typedef struct
{
  guint counts, directions, ends;
  guint32 nodes, per_node, block;
} Random;

static gboolean
is_together (const Random *self)
{
  return self->directions == 1;
}

/* The processors, or messages, of the node of @end on the channel of the message
 * @source to @target at that end. */
static guint32
slow_cf (const Random *self, guint32 from, guint32 source, guint32 target, gboolean at_target)
{
  guint32 n = self->nodes * self->per_node, me = at_target ? target : source, count = 0;
  guint32 node = me / self->per_node, socket = me % self->per_node / 4;
  gboolean away = source / self->per_node != target / self->per_node;
  gboolean crosses = !away && source % self->per_node / 4 != target % self->per_node / 4;
  gboolean users[64] = { FALSE };

  for (guint32 r = 0; r < n; r++)
    for (guint32 i = MAX (1, from); i < MIN (n, from + self->block); i++)
      {
        guint32 t = (r + n - i) % n;
        gboolean a = r / self->per_node != t / self->per_node;
        gboolean c = !a && r % self->per_node / 4 != t % self->per_node / 4;
        gboolean out = r / self->per_node == node, in = t / self->per_node == node;
        gboolean out_here = out && (a || self->counts == 0 || r % self->per_node / 4 == socket);
        gboolean in_here = in && (a || self->counts == 0 || t % self->per_node / 4 == socket);
        if (a != away || c != crosses)
          continue;
        if (!a && !c && (!out || r % self->per_node / 4 != socket))
          continue;
        if (a && !is_together (self) && (at_target ? !in : !out))
          continue;
        if (a && self->ends == 1)
          in_here = FALSE;
        if (a && !is_together (self))
          *(at_target ? &out_here : &in_here) = FALSE;
        count += out_here || in_here ? 1 : 0;
        users[r] |= out_here;
        users[t] |= in_here;
      }
  if (self->counts == 0)
    return count;
  count = 0;
  for (guint32 r = 0; r < n; r++)
    count += users[r] ? 1 : 0;
  return count;
}

static gdouble
slow_time (const Random *self)
{
  guint32 n = self->nodes * self->per_node;
  gdouble sum = 0;

  for (guint32 from = 0; from < n; from += self->block)
    {
      gdouble slowest = 0;
      for (guint32 r = 0; r < n; r++)
        for (guint32 i = MAX (1, from); i < MIN (n, from + self->block); i++)
          {
            guint32 t = (r + n - i) % n;
            gboolean away = r / self->per_node != t / self->per_node;
            gboolean crosses = !away && r % self->per_node / 4 != t % self->per_node / 4;
            guint32 cf = slow_cf (self, from, r, t, FALSE);
            if ((away && self->ends == 0) || (crosses && self->counts == 1))
              cf = MAX (cf, slow_cf (self, from, r, t, TRUE));
            gdouble factor = crosses ? (cf <= 4 ? 1 + 0.5 * (cf - 1) : 2.5 * cf / 4) : cf;
            slowest = MAX (slowest, (away ? 40 : crosses ? 20 : 10) * factor);
          }
      sum += slowest > 0 ? STEP (slowest) : 0;
    }
  return sum;
}

static void
test_random (void)
{
  static const char *const counts[] = { "messages", "processors" };
  static const char *const directions[] = { "separate", "together" };
  static const char *const ends[] = { "both", "source" };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint trial = 0; trial < 200; trial++)
    {
      Random r = {
        (guint) g_rand_int_range (random, 0, 2),   (guint) g_rand_int_range (random, 0, 2),
        (guint) g_rand_int_range (random, 0, 2),   (guint32) g_rand_int_range (random, 1, 5),
        (guint32) g_rand_int_range (random, 1, 9), (guint32) g_rand_int_range (random, 1, 10)
      };
      g_autofree char *attributes =
          g_strdup_printf (" counts='%s' directions='%s' ends='%s'", counts[r.counts],
                           directions[r.directions], ends[r.ends]);
      g_autoptr (PdMachine) machine = load (attributes, NODES);
      g_autofree guint32 *placement = pd_alltoall_place (machine, r.nodes, r.per_node, FALSE);
      PdAlltoall what = { .n_ranks = r.nodes * r.per_node,
                          .placement = placement,
                          .bytes = 1000,
                          .block = r.block,
                          .self = PD_ALLTOALL_SELF_NONE };
      g_autoptr (PdAlltoallSteps) steps = pd_alltoall_get_steps (machine, &what, NULL);
      g_assert_cmpint (pd_alltoall_steps_get_time (steps, NULL).ps, ==,
                       (gint64) (slow_time (&r) * US + 0.5));
    }
}

/* ---- places */

static const struct
{
  const char *name;
  const char *nodes;
  guint32 n_nodes, per_node;
  gboolean spread;
  const char *expected; /* NULL: they do not fit */
} places[] = {
  { "fill", NODES, 2, 3, FALSE, "0 1 2 8 9 10" },
  { "spread", NODES, 2, 3, TRUE, "0 4 1 8 12 9" },
  { "whole-nodes", NODES, 1, 8, TRUE, "0 4 1 5 2 6 3 7" },
  { "too-many-nodes", NODES, 5, 1, FALSE, NULL },
  { "too-large", NODES, 1, 9, FALSE, NULL },
  { "small-ones-first", "<nodes processors='2'/><nodes count='2' processors='4'/>", 2, 3, FALSE,
    "2 3 4 6 7 8" },
  { "no-such-sockets", "<nodes count='2' processors='4'/>", 2, 2, TRUE, "0 1 4 5" },
};

static void
test_place (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = load ("", places[i].nodes);
  g_autofree guint32 *placement =
      pd_alltoall_place (machine, places[i].n_nodes, places[i].per_node, places[i].spread);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 r = 0; placement != NULL && r < places[i].n_nodes * places[i].per_node; r++)
    g_string_append_printf (text, "%s%u", r > 0 ? " " : "", placement[r]);
  g_assert_cmpstr (placement != NULL ? text->str : NULL, ==, places[i].expected);
}

/* ---- by messages: where all ranks go on together it is the same */

static void
test_messages (void)
{
  for (guint32 per_node = 1; per_node <= 8; per_node *= 8)
    for (guint32 block = 1; block <= 4; block *= 4)
      {
        g_autoptr (PdMachine) machine = load (PAPER, NODES);
        guint32 n = per_node == 1 ? 4 : 4;
        g_autofree guint32 *placement =
            pd_alltoall_place (machine, n / MIN (per_node, n), MIN (per_node, n), FALSE);
        PdAlltoall what = { .n_ranks = n, .placement = placement, .bytes = 1000, .block = block };
        g_autoptr (PdAlltoallSteps) steps = pd_alltoall_get_steps (machine, &what, NULL);
        g_autoptr (GError) error = NULL;
        PdTime time;
        g_assert_true (pd_alltoall_simulate (machine, &what, &time, NULL, &error));
        g_assert_no_error (error);
        gint64 expected = pd_alltoall_steps_get_time (steps, NULL).ps;
        /* changes of one moment are taken in a picosecond later; control messages are free here */
        g_assert_cmpint (ABS (time.ps - expected), <=, 100);
      }
}

/* ---- the paper */

static char *
get_order (guint32 n, PdAlltoallTiming timing, guint32 block)
{
  PdAlltoallQuestion question = { .machine = "infiniband-qdr-numa",
                                  .what = { .n_ranks = n, .bytes = 1000000, .block = block },
                                  .timing = timing };
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (PdAlltoallAdvice) advice = pd_alltoall_advice_new (report);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_alltoall_search (&question, advice, &error));
  g_assert_no_error (error);
  return pd_alltoall_shapes_sort (advice->shapes);
}

static void
test_paper (void)
{
  static const struct
  {
    guint32 n;
    const char *order;
  } rows[] = { { 2, "1x2 < 2x1" }, { 4, "4x1 < 1x4 < 2x2" }, { 8, "1x8 < 4x2 < 2x4" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *messages = get_order (rows[i].n, PD_ALLTOALL_BY_MESSAGE, 1);
      g_assert_cmpstr (messages, ==, rows[i].order);
      for (guint32 block = 1; block <= 8; block++)
        {
          g_autofree char *steps = get_order (rows[i].n, PD_ALLTOALL_BY_STEP, block);
          g_assert_cmpstr (steps, ==, rows[i].order);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("PREDICTOR_DATADIR", ".", FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (hands); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/alltoall/hand/%s", hands[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_hand);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/alltoall/place/%s", places[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_place);
    }
  g_test_add_func ("/comsys/alltoall/scale", test_scale);
  g_test_add_func ("/comsys/alltoall/random", test_random);
  g_test_add_func ("/comsys/alltoall/messages", test_messages);
  g_test_add_func ("/predictor/alltoall/paper", test_paper);
  return g_test_run ();
}
