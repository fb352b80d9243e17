/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/programs.h"

#include "tests/support/dvm/tasks.h"

#define MAX_ARRAYS 3
#define MAX_DEPTH  3 /* of tasks */

typedef struct
{
  TestTrace *trace;
  GRand *random;
  gboolean has_order; /* ordered and cut loops, too */
  guint rank;
  gint64 sizes[3];
  gint64 arrays[MAX_ARRAYS]; /* 0: plain, 1: shifted, 2: of lower rank */
  guint n_arrays;
  gint64 shadow; /* a group of its own, used now and then; 0 = none */
  gboolean shadow_started;
  gint64 star; /* likewise */
  gboolean has_tasks;
  gint64 system[3]; /* with tasks: sizes of the current processor system */
  guint depth;      /* tasks that are open */
} Program;

static gint64
below (Program *self, gint64 n)
{
  return g_rand_int_range (self->random, 0, (gint32) n);
}

static gint64
some_time (Program *self)
{
  return below (self, 3) == 0 ? 0 : below (self, 2000);
}

/* ---- objects */

static void append_item (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
append_item (GString *text, const char *format, ...)
{
  va_list args;

  if (text->len > 0)
    g_string_append_c (text, ',');
  va_start (args, format);
  g_string_append_vprintf (text, format, args);
  va_end (args);
}

/* AxisArray of the grid's first dimensions: an axis, none, or one coordinate. */
static char *
random_distribution (Program *self)
{
  GString *axes = g_string_new (NULL);
  guint used = 0;

  for (guint d = 0; d < self->rank; d++)
    {
      guint axis = (guint) below (self, self->rank) + 1;
      gboolean is_free = (used & 1u << axis) == 0;
      append_item (axes, "%u", is_free && below (self, 5) > 0 ? axis : 0);
      used |= is_free ? 1u << axis : 0;
    }
  return g_string_free (axes, FALSE);
}

static void
make_objects (Program *self)
{
  g_autoptr (GString) sizes = g_string_new (NULL), rules = g_string_new (NULL);
  g_autoptr (GString) shorter = g_string_new (NULL), shifted = g_string_new (NULL);

  for (guint i = 0; i < self->rank; i++)
    {
      self->sizes[i] = 2 + below (self, 12);
      append_item (sizes, "%" G_GINT64_FORMAT, self->sizes[i]);
      append_item (rules, "%u*1+0", i + 1);
      append_item (shorter, "%" G_GINT64_FORMAT, self->sizes[i] / 2);
      append_item (shifted, "%u*2+%" G_GINT64_FORMAT, i + 1, self->sizes[i] % 2);
    }
  g_autofree char *axes = random_distribution (self);
  gint64 view = test_trace_template (self->trace, sizes->str, axes);
  self->arrays[0] = test_trace_array (self->trace, sizes->str, view, rules->str);
  self->arrays[1] = test_trace_array (self->trace, shorter->str, view, shifted->str);
  self->n_arrays = 2;
  if (self->rank > 1)
    {
      g_autoptr (GString) flat = g_string_new ("1*1+0");
      for (guint i = 1; i < self->rank; i++)
        append_item (flat, "%s", below (self, 2) == 0 ? "-1*0+0" : "0*0+1");
      g_autofree char *first = g_strdup_printf ("%" G_GINT64_FORMAT, self->sizes[0]);
      self->arrays[2] = test_trace_array (self->trace, first, view, flat->str);
      self->n_arrays = 3;
    }
}

/* ---- parts */

/* A loop over part of the first array's space; each rule is linear, constant or
 * replicated. */
static gint64
make_cut_loop (Program *self, const char *name, gint64 group)
{
  g_autoptr (GString) ranges = g_string_new (NULL), rules = g_string_new (NULL);
  guint rank = 0;

  for (guint i = 0; i < self->rank; i++)
    {
      gint64 n = self->sizes[i], lo = below (self, n), hi = lo + below (self, n - lo);
      gint64 step = 1 + below (self, 2);
      guint way = i + 1 == self->rank && rank == 0 ? 0 : (guint) below (self, 6);
      if (way == 4)
        append_item (rules, "0*0+%" G_GINT64_FORMAT, lo);
      else if (way == 5)
        append_item (rules, "-1*0+0");
      else
        append_item (rules, "%u*1+0", ++rank);
      if (way == 1)
        append_item (ranges, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":-%" G_GINT64_FORMAT, hi, lo,
                     step);
      else if (way < 4)
        append_item (ranges, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, lo, hi,
                     step);
    }
  return test_trace_cut_loop (self->trace, self->arrays[0], ranges->str, rules->str, name, group);
}

static gint64
make_loop (Program *self)
{
  /* now and then also on shadow elements */
  gboolean is_extended = self->has_order && below (self, 4) == 0;

  return make_cut_loop (self, is_extended ? "addbnd_" : NULL, 0);
}

/* A loop over all of the first array, some of its indices descending. */
static gint64
make_whole_loop (Program *self)
{
  g_autoptr (GString) ranges = g_string_new (NULL), rules = g_string_new (NULL);

  for (guint i = 0; i < self->rank; i++)
    {
      gboolean is_down = below (self, 3) == 0;
      gint64 last = self->sizes[i] - 1;
      append_item (rules, "%u*1+0", i + 1);
      append_item (ranges, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%d", is_down ? last : 0,
                   is_down ? 0 : last, is_down ? -1 : 1);
    }
  return test_trace_loop (self->trace, self->arrays[0], ranges->str, rules->str);
}

static const char *const variables[] = { "1 4 1 0",         "3 4 1 0,1 4 3 0", "1 1 1000 0",
                                         "3 4 1 8",         "4 2 2 4,1 4 1 0", "8 1 1 0",
                                         "1 4 1 0,3 1 5 0", "2 6 1 0" };

static void
play_loop (Program *self)
{
  gint64 loop = make_loop (self);
  gboolean reduces = below (self, 2) == 0;
  gint64 group = !reduces ? 0
                          : test_trace_reduction (
                              self->trace, variables[below (self, G_N_ELEMENTS (variables))], loop);

  test_trace_dopl (self->trace, loop, some_time (self), 1);
  for (gint64 k = below (self, 3); k > 0; k--)
    {
      test_trace_open (self->trace, "binter_", 500 + k, k, some_time (self), some_time (self));
      test_trace_close (self->trace, "einter_", 500 + k, k, some_time (self), some_time (self));
      if (below (self, 2) == 0)
        test_trace_dopl (self->trace, loop, some_time (self), 1);
    }
  if (below (self, 12) > 0) /* else left by a jump */
    test_trace_dopl (self->trace, loop, some_time (self), 0);
  if (reduces)
    {
      test_trace_group (self->trace, "strtrd_", group, some_time (self), some_time (self));
      test_trace_group (self->trace, "waitrd_", group, some_time (self), some_time (self));
      test_trace_group (self->trace, "delrg_", group, 0, 0);
    }
  if (below (self, 12) > 0)
    test_trace_end_loop (self->trace, loop);
}

static void
play_shadow (Program *self)
{
  guint which = (guint) below (self, self->n_arrays);
  guint rank = which == 2 ? 1 : self->rank;
  g_autoptr (GString) low = g_string_new (NULL), high = g_string_new (NULL);

  for (guint i = 0; i < rank; i++)
    {
      append_item (low, "%d", (int) below (self, 3) - 1);
      append_item (high, "%d", (int) below (self, 3) - 1);
    }
  gint64 group = test_trace_shadow (self->trace, self->arrays[which], low->str, high->str,
                                    below (self, 2) == 0);
  test_trace_group (self->trace, "strtsh_", group, some_time (self), some_time (self));
  if (below (self, 2) == 0)
    test_trace_ordinary (self->trace, some_time (self), 0);
  if (below (self, 8) > 0)
    test_trace_group (self->trace, "waitsh_", group, some_time (self), some_time (self));
  test_trace_group (self->trace, "delshg_", group, 0, 0);
}

/* A group of the first array with widths -1 (all), 0, 1. */
static gint64
make_group (Program *self, gboolean corners)
{
  g_autoptr (GString) low = g_string_new (NULL), high = g_string_new (NULL);

  for (guint i = 0; i < self->rank; i++)
    {
      append_item (low, "%d", (int) below (self, 3) - 1);
      append_item (high, "%d", (int) below (self, 3) - 1);
    }
  return test_trace_shadow (self->trace, self->arrays[0], low->str, high->str, corners);
}

static void
play_portions (Program *self, gint64 loop)
{
  test_trace_dopl (self->trace, loop, some_time (self), 1);
  if (below (self, 3) == 0)
    {
      test_trace_open (self->trace, "binter_", 700, 7, some_time (self), some_time (self));
      test_trace_close (self->trace, "einter_", 700, 7, some_time (self), some_time (self));
      test_trace_dopl (self->trace, loop, some_time (self), 1);
    }
  test_trace_dopl (self->trace, loop, some_time (self), 0);
}

/* exfrst_, imlast_; now and then what imlast_ waits for is not started. */
static void
play_cut (Program *self)
{
  gboolean is_export = below (self, 2) == 0;
  gint64 group = make_group (self, below (self, 2) == 0);

  if (!is_export && below (self, 8) > 0)
    test_trace_group (self->trace, "strtsh_", group, some_time (self), 0);
  gint64 loop = make_cut_loop (self, is_export ? "exfrst_" : "imlast_", group);
  play_portions (self, loop);
  if (is_export)
    test_trace_group (self->trace, "waitsh_", group, some_time (self), 0);
  test_trace_end_loop (self->trace, loop);
  test_trace_group (self->trace, "delshg_", group, 0, 0);
}

/* across_ or doacr_, executed some times. */
static void
play_ordered (Program *self)
{
  static const char *const parameters[] = { "0.000000", "2",         "3",          "7",
                                            "100",      "-0.000001", "-0.00000001" };

  for (gint64 n = 1 + below (self, 3); n > 0; n--)
    {
      gboolean corners = below (self, 8) == 0;
      gint64 before = make_group (self, corners), after = make_group (self, corners);
      gint64 loop = below (self, 4) == 0 ? make_loop (self) : make_whole_loop (self);
      const char *parameter = parameters[below (self, G_N_ELEMENTS (parameters))];
      gboolean splits = below (self, 4) == 0;
      g_autofree char *params =
          splits ? g_strdup_printf ("AcrossType=%d; AcrShadowGroupRef=%" G_GINT64_MODIFIER
                                    "x; PipeLinePar=%s;",
                                    (int) below (self, 2), (guint64) after, parameter)
                 : g_strdup_printf ("AcrossType=%d; OldShadowGroupRef=%" G_GINT64_MODIFIER
                                    "x; NewShadowGroupRef=%" G_GINT64_MODIFIER "x; PipeLinePar=%s;",
                                    (int) below (self, 2),
                                    (guint64) (below (self, 3) > 0 ? before : 0),
                                    (guint64) (below (self, 8) > 0 ? after : 0), parameter);
      for (gint64 k = below (self, 10); k >= 0; k -= 9) /* seldom twice */
        test_trace_call (self->trace, splits ? "doacr_" : "across_", some_time (self),
                         some_time (self), params, "ErrPipeLine=9");
      play_portions (self, loop);
      test_trace_end_loop (self->trace, loop);
    }
}

/* Both directions of an exchange apart. */
static void
play_halves (Program *self)
{
  gboolean back = below (self, 2) == 0;
  gint64 group = make_group (self, below (self, 2) == 0);

  for (gint64 n = 1 + below (self, 2); n > 0; n--)
    {
      gboolean sends_first = below (self, 2) == 0;
      const char *names[] = { back ? "recvla_" : "recvsh_", back ? "sendsa_" : "sendsh_" };
      test_trace_group (self->trace, names[sends_first], group, some_time (self), 0);
      test_trace_group (self->trace, names[!sends_first], group, some_time (self), 0);
      test_trace_group (self->trace, "waitsh_", group, some_time (self), 0);
    }
}

static void
play_io (Program *self)
{
  static const char *const names[] = { "dvm_printf", "dvm_void_printf", "dvm_fopen", "dvm_fgets" };
  gint64 array = self->arrays[below (self, self->n_arrays)];
  g_autofree char *params = g_strdup_printf ("ArrayHeader=1; ArrayHandlePtr=%" G_GINT64_MODIFIER
                                             "x; Size=8; Count=%" G_GINT64_FORMAT ";",
                                             (guint64) array, below (self, 300));

  switch (below (self, 5))
    {
    case 0:
      test_trace_io (self->trace, names[below (self, 4)], some_time (self), "N=1;",
                     "Res=1; String=abc");
      break;
    case 1:
      test_trace_io (self->trace, "dvm_fwrite", some_time (self), params, "Res=1;");
      break;
    case 2:
      test_trace_io (self->trace, "dvm_fread", some_time (self), params, "Res=1;");
      break;
    case 3:
      test_trace_call (self->trace, "biof_", some_time (self), some_time (self), "", "");
      test_trace_call (self->trace, "tstio_", some_time (self), some_time (self), "", "");
      test_trace_call (self->trace, "srmem_", some_time (self), some_time (self),
                       "MemoryCount=2; LengthArray[0]=8; LengthArray[1]=8000;", "");
      test_trace_call (self->trace, "eiof_", some_time (self), some_time (self), "", "");
      break;
    default:
      test_trace_call (self->trace, "bsynch_", some_time (self), some_time (self), "", "");
      break;
    }
}

/* Groups that live long, and are waited for much later, or never. */
static void
play_long (Program *self)
{
  if (self->shadow == 0)
    {
      g_autoptr (GString) widths = g_string_new (NULL);
      for (guint i = 0; i < self->rank; i++)
        append_item (widths, "1");
      self->shadow =
          test_trace_shadow (self->trace, self->arrays[0], widths->str, widths->str, TRUE);
      self->star = test_trace_reduction (self->trace, "3 4 2 8", 0);
    }
  test_trace_group (self->trace, self->shadow_started ? "waitsh_" : "strtsh_", self->shadow,
                    some_time (self), some_time (self));
  test_trace_group (self->trace,
                    (below (self, 3) > 0) == self->shadow_started ? "waitrd_" : "strtrd_",
                    self->star, some_time (self), some_time (self));
  self->shadow_started = !self->shadow_started;
}

static void
play_part (Program *self)
{
  static void (*const more[]) (Program * self) = { play_cut, play_ordered, play_halves };

  if (self->has_order && below (self, 2) == 0)
    {
      more[below (self, G_N_ELEMENTS (more))](self);
      return;
    }
  switch (below (self, 8))
    {
    case 0:
    case 1:
    case 2:
      play_loop (self);
      break;
    case 3:
    case 4:
      play_shadow (self);
      break;
    case 5:
      play_io (self);
      break;
    case 6:
      play_long (self);
      break;
    default:
      test_trace_ordinary (self->trace, some_time (self), some_time (self));
      break;
    }
}

/* ---- tasks */

static void play_parts (Program *self, guint n_parts);

/* A program of its own on a part of the current system: objects of others may
 * be on processors that are not in it. */
static void
play_task (Program *self)
{
  Program inner = {
    .trace = self->trace, .random = self->random, .has_tasks = TRUE, .depth = self->depth + 1
  };
  g_autoptr (GString) first = g_string_new (NULL), last = g_string_new (NULL);

  for (guint d = 0; d < 3; d++)
    {
      gint64 lo = below (self, self->system[d]), hi = lo + below (self, self->system[d] - lo);
      append_item (first, "%" G_GINT64_FORMAT, lo);
      append_item (last, "%" G_GINT64_FORMAT, hi);
      inner.system[d] = hi - lo + 1;
    }
  gint64 machine =
      test_task_on (self->trace, test_task_system (self->trace, 0, first->str, last->str));
  for (gint64 k = below (self, 2); k >= 0; k--) /* once or twice */
    {
      test_task_run (self->trace, machine, some_time (self), some_time (self));
      inner.rank = 1 + (guint) below (self, 3);
      inner.shadow = inner.star = 0;
      inner.shadow_started = FALSE;
      make_objects (&inner);
      /* what all have started, those of the task wait for */
      if (self->shadow_started && below (self, 2) == 0)
        test_trace_group (self->trace, "waitsh_", self->shadow, some_time (self), some_time (self));
      play_parts (&inner, (guint) below (self, 5));
      test_task_stop (self->trace, some_time (self), some_time (self));
    }
}

static void
play_parts (Program *self, guint n_parts)
{
  for (guint i = 0; i < n_parts; i++)
    {
      gint64 line = 20 + below (self, 4);
      gboolean inside = below (self, 3) == 0;
      self->trace->line = 100 + i;
      if (inside)
        test_trace_open (self->trace, "bsloop_", line, line, some_time (self), some_time (self));
      if (self->has_tasks && self->depth < MAX_DEPTH && below (self, 4) == 0)
        play_task (self);
      else
        play_part (self);
      if (inside)
        test_trace_close (self->trace, "enloop_", line, line, some_time (self), some_time (self));
    }
}

static TestTrace *
make_program (GRand *random, guint n_parts, gboolean has_order)
{
  Program self = { .trace = test_trace_new ("1 1 1"), .random = random, .has_order = has_order };

  self.rank = 1 + (guint) below (&self, 3);
  make_objects (&self);
  play_parts (&self, n_parts);
  test_trace_exit (self.trace, some_time (&self));
  return self.trace;
}

TestTrace *
test_program_with_tasks (GRand *random, guint n_parts, const char *grid)
{
  Program self = { .random = random, .has_tasks = TRUE, .system = { 1, 1, 1 } };
  g_auto (GStrv) words = g_strsplit (grid, "x", -1);
  g_autofree char *sizes = g_strjoinv (" ", words);

  for (guint d = 0; words[d] != NULL; d++)
    self.system[d] = g_ascii_strtoll (words[d], NULL, 10);
  self.trace = test_trace_new_virtual ("1 1 1", sizes);
  self.rank = 1 + (guint) below (&self, 3);
  make_objects (&self);
  play_parts (&self, n_parts);
  test_trace_exit (self.trace, some_time (&self));
  return self.trace;
}

TestTrace *
test_program (GRand *random, guint n_parts)
{
  return make_program (random, n_parts, FALSE);
}

TestTrace *
test_ordered_program (GRand *random, guint n_parts)
{
  return make_program (random, n_parts, TRUE);
}
