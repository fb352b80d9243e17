/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/mp-random.h"

#include "tests/support/mp/mp-script.h"

#define N_INTERVALS 3

typedef struct
{
  GRand *rand;
  GString *text;
  guint32 n;
  guint n_open[8];
  gboolean no_self; /* no messages to oneself */
  gboolean one_sided;
  gboolean synced; /* only collective operations in which all wait for the last member */
  gboolean others; /* wildcards, operations beside, one-sided: where what comes first counts */
} Writer;

static gint
draw (Writer *w, gint n)
{
  return g_rand_int_range (w->rand, 0, n);
}

static void
compute (Writer *w, guint32 rank)
{
  gint inside = draw (w, N_INTERVALS + 1);

  if (inside == N_INTERVALS)
    g_string_append_printf (w->text, "%u compute %d;", rank, draw (w, 100));
  else
    g_string_append_printf (w->text, "%u enter i%d;%u compute %d;%u leave i%d;", rank, inside, rank,
                            draw (w, 100), rank, inside);
}

static void
add_message (Writer *w)
{
  static const char *const sends[] = { "send", "bsend", "rsend" };
  guint32 from = (guint32) draw (w, (gint) w->n), to = (guint32) draw (w, (gint) w->n);
  gint bytes = draw (w, 2) == 0 ? draw (w, 100) : draw (w, 100000);
  gint tag = draw (w, 2);

  to = from == to && w->no_self ? (to + 1) % w->n : to;
  gboolean immediate = from == to || draw (w, 3) > 0;

  if (immediate)
    g_string_append_printf (w->text, "%u %s %u %d %u %d;", from,
                            draw (w, 4) == 0 ? "issend" : "isend", to, bytes, w->n_open[from]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u %s %u %d %d;", from, sends[draw (w, 3)], to, bytes, tag);
  compute (w, to);
  if (immediate && draw (w, 2) == 0)
    g_string_append_printf (w->text, "%u irecv %u %d %u %d;", to, from, bytes, w->n_open[to]++,
                            tag);
  else
    g_string_append_printf (w->text, "%u recv %u %d %d;", to, from, bytes, tag);
}

static void
add_collective (Writer *w)
{
  static const char *const forms[] = { "barrier", "bcast 0 3000", "allreduce 800 5", "commdup" };
  const char *form = w->synced ? forms[2 * draw (w, 2)] : forms[draw (w, 4)];

  for (guint32 rank = 0; rank < w->n; rank++)
    g_string_append_printf (w->text, "%u compute %d;%u %s;", rank, draw (w, 20), rank, form);
}

static void
add_other (Writer *w, gint number)
{
  guint32 to = (guint32) draw (w, (gint) w->n);
  gint n = 1 + draw (w, 3);

  if (draw (w, 2) == 0)
    {
      for (guint32 rank = 0; rank < w->n; rank++)
        g_string_append_printf (w->text, "%u iallreduce 800 %u;%u compute %d;", rank,
                                w->n_open[rank]++, rank, draw (w, 20));
      return;
    }
  for (gint i = 0; i < n; i++)
    {
      guint32 from = (guint32) draw (w, (gint) w->n);
      g_string_append_printf (w->text, "%u compute %d;%u isend %u %d %u %d;", from, draw (w, 30),
                              from, to, draw (w, 30000), w->n_open[from]++, 10 + number);
    }
  for (gint i = 0; i < n; i++)
    g_string_append_printf (w->text, "%u recv any 30000 %d;", to, 10 + number);
}

/* An access with one target and its request; two origins end the exposure. */
static void
add_active (Writer *w)
{
  guint32 target = (guint32) draw (w, (gint) w->n), a = (guint32) draw (w, (gint) w->n);
  guint32 b = (a + 1) % w->n;

  g_string_append_printf (w->text, "%u compute %d;%u post %u %u;", target, draw (w, 30), target, a,
                          b);
  g_string_append_printf (w->text, "%u begin %u;%u rput %u %d %u;%u complete;", a, target, a,
                          target, draw (w, 100000), w->n_open[a]++, a);
  g_string_append_printf (w->text, "%u begin %u;%u getaccumulate %u %d %d;%u complete;", b, target,
                          b, target, draw (w, 1000), draw (w, 1000), b);
  g_string_append_printf (w->text, "%u winwait;", target);
}

static void
add_one_sided (Writer *w)
{
  static const char *const transfers[] = { "put", "get", "accumulate" };
  guint32 rank = (guint32) draw (w, (gint) w->n);
  gint target = draw (w, (gint) w->n);

  add_active (w);
  g_string_append_printf (w->text, "%u lock %d %d;%u %s %d %d;%u unlock %d;", rank, target,
                          draw (w, 2), rank, transfers[draw (w, 3)], target, draw (w, 100000), rank,
                          target);
  for (rank = 0; rank < w->n; rank++)
    g_string_append_printf (w->text, "%u put %d 100;%u fence;", rank, draw (w, (gint) w->n), rank);
}

static void
add_step (Writer *w, gint number)
{
  gint what = draw (w, 10);

  if (what == 0)
    add_collective (w);
  else if (what == 4 && w->one_sided)
    add_one_sided (w);
  else if (what < 3)
    compute (w, (guint32) draw (w, (gint) w->n));
  else if (what == 3 && w->others)
    add_other (w, number);
  else
    add_message (w);
  for (guint32 rank = 0; rank < w->n; rank++)
    if (w->n_open[rank] > 0 && (w->n_open[rank] >= 6 || draw (w, 6) == 0))
      {
        g_string_append_printf (w->text, "%u waitall;", rank);
        w->n_open[rank] = 0;
      }
}

PdProgram *
test_draw_program (guint32 seed, TestContents contents)
{
  Writer w = { .rand = g_rand_new_with_seed (seed),
               .text = g_string_new (NULL),
               .no_self = contents.no_self,
               .one_sided = contents.one_sided,
               .synced = contents.synced,
               .others = contents.others };

  w.n = 2 + (guint32) draw (&w, 4);
  for (gint i = 0; i < 40; i++)
    add_step (&w, i);
  for (guint32 rank = 0; rank < w.n; rank++)
    g_string_append_printf (w.text, "%u waitall;%u compute %d;", rank, rank, draw (&w, 100));
  PdProgram *program = mp_script_new (w.n, PD_AMOUNT_TIME, w.text->str);
  g_string_free (w.text, TRUE);
  g_rand_free (w.rand);
  return program;
}
