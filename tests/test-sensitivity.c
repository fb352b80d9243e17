/* Derivatives of the run time against finite differences: random message-passing
 * programs on machines of all kinds.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp.h"
#include "tests/support/mp-script.h"

#include <math.h>
#include <string.h>

#define N_PROGRAMS 60
#define N_INTERVALS 3

/* ---- random programs: they cannot deadlock, and few things happen at the same time */

typedef struct
{
  GRand *rand;
  GString *text;
  guint32 n;
  guint n_open[8];
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
  const char *form = forms[draw (w, 4)];

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

static void
add_step (Writer *w, gint number)
{
  gint what = draw (w, 10);

  if (what == 0)
    add_collective (w);
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

static PdProgram *
make_program (guint32 seed, gboolean others)
{
  Writer w = { .rand = g_rand_new_with_seed (seed),
               .text = g_string_new (NULL),
               .others = others };

  w.n = 2 + (guint32) draw (&w, 4);
  for (gint i = 0; i < 40; i++)
    add_step (&w, i);
  for (guint32 rank = 0; rank < w.n; rank++)
    g_string_append_printf (w.text, "%u waitall;%u compute %d;", rank, rank, draw (&w, 100));
  if (g_getenv ("SHOW") != NULL)
    g_print ("%s\n", w.text->str);
  PdProgram *program = mp_script_new (w.n, PD_AMOUNT_TIME, w.text->str);
  g_string_free (w.text, TRUE);
  g_rand_free (w.rand);
  return program;
}

/* ---- runs */

/* The run time on the machine with settings, and what it follows from. */
static PdTime
predict (const PdProgram *program, const char *machine, const char *const *settings,
         PdTrailResult **trail, gboolean one_step)
{
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = { .trace = "test",
                                .machine = machine,
                                .settings = settings,
                                .trail = trail,
                                .one_step = one_step,
                                .check = TRUE };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  PdTime latest = PD_TIME_ZERO;

  g_assert_no_error (error);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    latest = pd_time_max (latest, run->end_times[rank]);
  pd_report_run_free (run);
  return latest;
}

static PdTime
predict_with (const PdProgram *program, const char *machine, const char *path, gdouble value,
              const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *setting = g_strconcat (
      path, "=", g_ascii_formatd (number, sizeof number, "%.6f", value), unit, NULL);
  const char *const settings[] = { setting, NULL };

  return predict (program, machine, settings, NULL, FALSE);
}

static void
check_sum (const PdTrailResult *trail)
{
  PdTime sum = trail->queued;

  for (guint i = 0; i < PD_TRAIL_N_KINDS; i++)
    sum = pd_time_add (sum, trail->spent[i]);
  g_assert_cmpint (sum.ps, ==, trail->makespan.ps);
}

/* How far a difference may be from the derivative: every transfer is rounded to 1 ps. */
static gdouble
tolerance_of (const PdTrailResult *trail, PdUnit unit)
{
  return unit == PD_UNIT_TIME ? 0.5 : 1 + 0.5 * (gdouble) trail->n_messages;
}

static void
check_param (const PdProgram *program, const char *machine, const PdTrailResult *trail,
             const PdTrailParam *param)
{
  gdouble step = param->unit == PD_UNIT_TIME ? 1 : 0.001;
  PdTime then = predict_with (program, machine, param->path, param->value + step, "ps");
  gdouble difference = (gdouble) (then.ps - trail->makespan.ps);

  if (fabs (difference - param->derivative * step) <= tolerance_of (trail, param->unit))
    return;
  g_test_message ("%s: %s: derivative %g, on path %g, difference %g", machine, param->path,
                  param->derivative, param->on_path, difference / step);
  g_test_fail ();
}

static void
check_speed (const PdProgram *program, const char *machine, const PdTrailResult *trail)
{
  const gdouble step = 1e-6;
  PdTime then = predict_with (program, machine, "network/nodes/speed", 1 / (1 + step), "");
  gdouble difference = (gdouble) (then.ps - trail->makespan.ps);

  if (fabs (difference - (gdouble) trail->work.ps * step) > 100)
    {
      g_test_message ("%s: speed: derivative %g, difference %g", machine, (gdouble) trail->work.ps,
                      difference / step);
      g_test_fail ();
    }
}

typedef struct
{
  const char *name;
  const char *machine;
  gboolean others;
  gboolean exact;
} Row;

static const Row rows[] = {
  { "ideal", "ideal", TRUE, TRUE },
  { "crossbar", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=1KiB", TRUE, TRUE },
  { "free-control", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=1KiB,control=free",
    FALSE, TRUE },
  { "detached", "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=10,detached=1MB", FALSE,
    TRUE },
  { "software",
    "myrinet:startup=7013ns,per-byte=4ns,channels=1000,processors-per-node=2,memory-startup=1001ns,"
    "memory-per-byte=1ns,send-overhead=2003ns,recv-overhead=3001ns,wait-overhead=1007ns,"
    "copy-per-byte=2ns,reduction-per-byte=1ns",
    TRUE, TRUE },
  { "loggops", "loggops:L=2503ns,o=1501ns,g=1009ns,G=6ns,O=1ns,S=1000", TRUE, TRUE },
  { "ethernet", "ethernet:startup=10007ns,per-byte=10ns,eager=1KiB", FALSE, TRUE },
  { "myrinet", "myrinet:startup=7013ns,per-byte=4ns,channels=1,eager=1KiB", FALSE, FALSE },
};

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  const char *only = g_getenv ("SEED");

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    {
      if (only != NULL && atoi (only) != (int) seed)
        continue;
      g_autoptr (PdProgram) program = make_program (seed, row->others);
      g_autoptr (PdTrailResult) trail = NULL;
      PdTime plain = predict (program, row->machine, NULL, NULL, FALSE);
      PdTime with = predict (program, row->machine, NULL, &trail, FALSE);
      g_assert_cmpint (plain.ps, ==, with.ps);
      g_assert_cmpint (plain.ps, ==, trail->makespan.ps);
      check_sum (trail);
      if (trail->spent[PD_TRAIL_OTHER].ps > 0)
        {
          g_test_message ("seed %u: other %ld", seed, (long) trail->spent[PD_TRAIL_OTHER].ps);
          g_test_fail ();
        }
      for (guint i = 0; i < trail->params->len; i++)
        check_param (program, row->machine, trail,
                     &g_array_index (trail->params, PdTrailParam, i));
      check_speed (program, row->machine, trail);
      if (g_test_failed ())
        {
          for (guint i = 0; g_getenv ("SHOW") != NULL && i < trail->segments->len; i++)
            {
              PdTrailSegment *g = &g_array_index (trail->segments, PdTrailSegment, i);
              g_printerr ("%u->%u kind %u %.6f .. %.6f n %u\n", g->rank, g->peer, g->kind, (double) g->begin.ps / 1e6, (double) g->end.ps / 1e6, g->n);
            }
          g_test_message ("seed %u ties %lu queued %ld", seed, (unsigned long) trail->n_ties, (long) trail->queued.ps);
          return;
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/sensitivity/", rows[i].name, NULL);
      g_test_add_data_func (path, &rows[i], test_row);
    }
  return g_test_run ();
}
