/* How fast whole predictions are, and how time and memory grow with the number
 * of processors and with the length of the trace. Each prediction runs in a
 * process of its own, whose peak memory is measured.
 *   bench-predict [FOLDER]     writes FOLDER/growth-*.tsv (default: build/bench)
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* wait4() */

#include "predictor/dvm/predict/pd-predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define HEAT    "tests/data/heat2d_600.ptr.gz"
#define GAUSS   "tests/data/gauss_240.ptr.gz"
#define MACHINE "myrinet:startup=7us,per-byte=4ns,eager=16KiB"

/* The cost of one prediction; sent through a pipe. */
typedef struct
{
  gboolean ok;
  gdouble seconds;
  guint64 n_events;
  guint64 n_messages;
  gint64 peak; /* KiB */
} Cost;

/* A point of a growth curve. */
typedef struct
{
  gdouble x;
  Cost cost;
} Point;

/* ---- one prediction */

static Cost
predict (const char *trace, gint64 rows, gint64 columns)
{
  PdPredictOptions options = { .trace = trace, .machine = MACHINE, .dvm = { .mpi_reduce = TRUE } };
  gint64 sizes[] = { rows, columns, 1, 1 };
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_predict (&options, 2, sizes, &error);

  if (run != NULL)
    return (Cost){ TRUE, run->seconds, run->n_events, run->n_messages, 0 };
  fprintf (stderr, "bench-predict: %s\n", error->message);
  return (Cost){ .ok = FALSE };
}

static Cost
measure_once (const char *trace, gint64 rows, gint64 columns)
{
  Cost cost = { .ok = FALSE };
  struct rusage usage;
  int ends[2], status;
  pid_t child;

  if (pipe (ends) != 0 || (child = fork ()) < 0)
    return cost;
  if (child == 0)
    {
      cost = predict (trace, rows, columns);
      _exit (write (ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
    }
  close (ends[1]);
  if (read (ends[0], &cost, sizeof cost) != sizeof cost)
    cost.ok = FALSE;
  close (ends[0]);
  if (wait4 (child, &status, 0, &usage) != child || status != 0)
    cost.ok = FALSE;
  cost.peak = usage.ru_maxrss;
  return cost;
}

/* The fastest of three, or the only one if it takes long. */
static Cost
measure (const char *trace, gint64 rows, gint64 columns)
{
  Cost best = measure_once (trace, rows, columns);

  for (int i = 0; i < 2 && best.ok && best.seconds < 0.5; i++)
    {
      Cost next = measure_once (trace, rows, columns);
      if (next.ok && next.seconds < best.seconds)
        best = next;
    }
  return best;
}

static gboolean
show (const char *what, const char *grid, const Cost *cost)
{
  if (!cost->ok)
    return FALSE;
  printf ("%-22s %9s %10.4f s %11" G_GUINT64_FORMAT " events %9.0f events/s %8.1f MiB\n", what,
          grid, cost->seconds, cost->n_events, (gdouble) cost->n_events / cost->seconds,
          (gdouble) cost->peak / 1024);
  fflush (stdout);
  return TRUE;
}

/* ---- growth */

/* The slope of log (y) over log (x), by least squares: 1 = linear. */
static gdouble
exponent (const Point *points, guint n, gboolean of_memory)
{
  gdouble sx = 0, sy = 0, sxx = 0, sxy = 0;

  for (guint i = 0; i < n; i++)
    {
      gdouble x = log (points[i].x);
      gdouble y = log (of_memory ? (gdouble) points[i].cost.peak : points[i].cost.seconds);
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static gboolean
save (const char *folder, const char *name, const char *unit, const Point *points, guint n)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.tsv", folder, name);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text, "# %s\tseconds\tpeak_KiB\tevents\tmessages\n", unit);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "%.0f\t%.6f\t%" G_GINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n",
        points[i].x, points[i].cost.seconds, points[i].cost.peak, points[i].cost.n_events,
        points[i].cost.n_messages);
  if (g_file_set_contents (path, text->str, -1, &error))
    return TRUE;
  fprintf (stderr, "bench-predict: %s\n", error->message);
  return FALSE;
}

static gboolean
grow_processors (const char *folder)
{
  static const gint64 sides[] = { 16, 32, 64, 128, 256 };
  Point points[G_N_ELEMENTS (sides)];
  guint n = G_N_ELEMENTS (sides);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *grid =
          g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT, sides[i], sides[i]);
      points[i] = (Point){ (gdouble) (sides[i] * sides[i]), measure (HEAT, sides[i], sides[i]) };
      if (!show ("heat2d_600", grid, &points[i].cost))
        return FALSE;
    }
  printf ("growth with processors: time ~ P^%.2f, memory ~ P^%.2f\n\n", exponent (points, n, FALSE),
          exponent (points, n, TRUE));
  return save (folder, "growth-processors", "processors", points, n);
}

/* ---- longer traces */

static GString *
read_trace (const char *path)
{
  GString *text = g_string_new (NULL);
  gzFile in = gzopen (path, "rb");
  char buffer[65536];
  int n;

  while (in != NULL && (n = gzread (in, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  if (in != NULL)
    gzclose (in);
  return text;
}

/* The records of heat2d's iterations: from the first parallel loop of line 19
 * to before the end of the sequential loop around them. */
static gboolean
find_iterations (const GString *text, gsize *begin, gsize *end)
{
  *begin = *end = 0;
  for (const char *line = text->str; line != NULL && *line != '\0';)
    {
      const char *next = strchr (line, '\n');
      gsize length = next != NULL ? (gsize) (next - line) : strlen (line);
      g_autofree char *copy = g_strndup (line, length);
      if (*begin == 0 && g_str_has_prefix (copy, "call_bploop_") && strstr (copy, "LINE=19 "))
        *begin = (gsize) (line - text->str);
      if (g_str_has_prefix (copy, "call_enloop_") && strstr (copy, "LINE=31 "))
        *end = (gsize) (line - text->str);
      line = next != NULL ? next + 1 : NULL;
    }
  return *begin > 0 && *end > *begin;
}

/* Writes heat2d with its iterations repeated; the number of records. */
static guint64
write_longer (const char *path, const GString *text, guint times)
{
  g_autoptr (GString) longer = g_string_new (NULL);
  guint64 n = 0;
  gsize begin, end;

  if (!find_iterations (text, &begin, &end))
    return 0;
  g_string_append_len (longer, text->str, (gssize) begin);
  for (guint i = 0; i < times; i++)
    g_string_append_len (longer, text->str + begin, (gssize) (end - begin));
  g_string_append (longer, text->str + end);
  for (const char *p = longer->str; (p = strstr (p, " TIME=")) != NULL; p++)
    n++;
  return g_file_set_contents (path, longer->str, (gssize) longer->len, NULL) ? n : 0;
}

static gboolean
grow_records (const char *folder)
{
  static const guint times[] = { 1, 4, 16, 64 };
  g_autofree char *path = g_strdup_printf ("%s/longer.ptr", folder);
  g_autoptr (GString) text = read_trace (HEAT);
  Point points[G_N_ELEMENTS (times)];
  guint n = G_N_ELEMENTS (times);

  for (guint i = 0; i < n; i++)
    {
      guint64 records = write_longer (path, text, times[i]);
      g_autofree char *what = g_strdup_printf ("%" G_GUINT64_FORMAT " records", records);
      if (records == 0)
        return FALSE;
      points[i] = (Point){ (gdouble) records, measure (path, 16, 16) };
      if (!show (what, "16x16", &points[i].cost))
        return FALSE;
    }
  unlink (path);
  printf ("growth with records: time ~ R^%.2f, memory ~ R^%.2f\n\n", exponent (points, n, FALSE),
          exponent (points, n, TRUE));
  return save (folder, "growth-records", "records", points, n);
}

/* ---- a long trace of many short records */

static gboolean
run_gauss (void)
{
  static const gint64 counts[] = { 16, 64, 256 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *grid = g_strdup_printf ("%" G_GINT64_FORMAT, counts[i]);
      Cost cost = measure (GAUSS, counts[i], 1);
      if (!show ("gauss_240", grid, &cost))
        return FALSE;
    }
  printf ("\n");
  return TRUE;
}

int
main (int argc, char **argv)
{
  const char *folder = argc > 1 ? argv[1] : "build/bench";

  setvbuf (stdout, NULL, _IOLBF, 0);
  if (g_mkdir_with_parents (folder, 0777) != 0)
    return 1;
  return run_gauss () && grow_processors (folder) && grow_records (folder) ? 0 : 1;
}
