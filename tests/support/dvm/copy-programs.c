/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"

#define N_ARRAYS  4
#define N_BUFFERS 3

typedef struct
{
  TestTrace *trace;
  GRand *random;
  guint rank;
  gint64 sizes[2];
  gint64 views[2];
  gint64 arrays[N_ARRAYS];
  guint ranks[N_ARRAYS];
  gint64 lengths[N_ARRAYS]; /* of their first axes; the second is that of the template */
  gint64 buffers[N_BUFFERS];
  gint64 group;
  gboolean under_way; /* a copy with the flag 77 */
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

/* AxisArray of two grid dimensions; each axis at most once. */
static const char *
some_axes (Program *self)
{
  static const char *const flat[] = { "1", "0", "0,1", "1,0" };
  static const char *const square[] = { "1,2", "2,1", "1,0", "0,2", "2", "1", "0,0", "0,1" };

  return self->rank == 1 ? flat[below (self, G_N_ELEMENTS (flat))]
                         : square[below (self, G_N_ELEMENTS (square))];
}

static char *
join (const char *first, const char *second, gboolean both)
{
  return both ? g_strconcat (first, ",", second, NULL) : g_strdup (first);
}

/* Two templates; on the first an array like it, one on every second element and
 * a vector that is aligned with the first array; one on the second template. */
static void
make_objects (Program *self)
{
  gboolean flat = self->rank == 1;
  gint64 n = self->sizes[0] = 2 + below (self, 12), m = self->sizes[1] = 1 + below (self, 9);
  g_autofree char *all = g_strdup_printf ("%" G_GINT64_FORMAT, n);
  g_autofree char *half = g_strdup_printf ("%" G_GINT64_FORMAT, n / 2);
  g_autofree char *rest = g_strdup_printf ("%" G_GINT64_FORMAT, m);
  g_autofree char *sizes = join (all, rest, !flat);
  g_autofree char *halves = join (half, rest, !flat);
  g_autofree char *same = join ("1*1+0", "2*1+0", !flat);
  g_autofree char *second = join ("1*2+1", "2*1+0", !flat);
  g_autofree char *vector = join ("1*1+0", below (self, 2) == 0 ? "-1*0+0" : "0*0+0", !flat);

  for (guint i = 0; i < 2; i++)
    self->views[i] = test_trace_template (self->trace, sizes, some_axes (self));
  self->arrays[0] = test_trace_array (self->trace, sizes, self->views[0], same);
  self->arrays[1] = test_trace_array (self->trace, halves, self->views[0], second);
  self->arrays[2] = test_trace_array_on (self->trace, all, self->arrays[0], vector);
  self->arrays[3] = test_trace_array (self->trace, sizes, self->views[1], same);
  for (guint i = 0; i < N_ARRAYS; i++)
    {
      self->ranks[i] = i == 2 ? 1 : self->rank;
      self->lengths[i] = i == 1 ? n / 2 : n;
    }
  self->group = test_trace_crtbg (self->trace, TRUE);
}

/* A section or an element of array @which. */
static char *
some_where (Program *self, guint which, gboolean is_element)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->ranks[which]; i++)
    {
      gint64 n = i == 0 ? self->lengths[which] : self->sizes[1];
      gint64 first = below (self, n), last = first + below (self, n - first);
      if (i > 0)
        g_string_append_c (text, ',');
      if (is_element)
        g_string_append_printf (text, "%" G_GINT64_FORMAT, first);
      else if (below (self, 3) == 0)
        g_string_append (text, "-1");
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%d", first, last,
                                1 + (int) below (self, 2));
    }
  return g_string_free (text, FALSE);
}

/* ---- parts */

static void
play_copy (Program *self)
{
  static const char *const names[][2] = { { "arrcpy_", "aarrcp_" },
                                          { "elmcpy_", "aelmcp_" },
                                          { "copelm_", "acopel_" },
                                          { "rwelm_", "arwelm_" } };
  guint kind = (guint) below (self, 4), memory = (guint) below (self, 4);
  gboolean starts = !self->under_way && below (self, 3) == 0;
  guint from = (guint) below (self, N_ARRAYS), to = (guint) below (self, N_ARRAYS);
  g_autofree char *source = some_where (self, from, kind > 0);
  g_autofree char *target = some_where (self, to, kind > 0);
  g_autofree char *more = g_strdup_printf ("CopyRegim=%d; %s", (int) below (self, 4) - 1,
                                           starts ? "CopyFlagPtr=77;" : "");

  if (kind == 2)
    memory = 3; /* none */
  else if (kind == 3)
    memory = memory % 2;
  test_trace_copy (self->trace, names[kind][starts ? 1 : 0],
                   (TestSide){ memory == 0 ? 0 : self->arrays[from], source },
                   (TestSide){ memory == 1 ? 0 : self->arrays[to], target }, more,
                   some_time (self));
  self->under_way = self->under_way || starts;
}

static void
play_wait (Program *self)
{
  if (!self->under_way)
    return;
  test_trace_waitcp (self->trace, "77", some_time (self));
  self->under_way = FALSE;
}

static void
play_move (Program *self)
{
  guint which = (guint) below (self, 2);
  gboolean by_array = below (self, 2) == 0;
  int new_sign = (int) below (self, 3) / 2;

  if (below (self, 3) > 0)
    test_trace_redis (self->trace, by_array ? self->arrays[which * 3] : self->views[which],
                      by_array, some_axes (self), new_sign);
  else
    test_trace_realn (self->trace, self->arrays[2], self->arrays[0], TRUE,
                      self->rank == 1        ? "1*1+0"
                      : below (self, 2) == 0 ? "1*1+0,-1*0+0"
                                             : "1*1+0,0*0+0",
                      new_sign);
}

/* A buffer for a whole array, made and, later, loaded. */
static void
make_buffer (Program *self, guint which)
{
  guint remote = (guint) below (self, 2) * 3;
  guint local = (guint) below (self, 2) * 3;
  g_autofree char *index = g_strdup_printf ("0*0+%" G_GINT64_FORMAT, below (self, self->sizes[0]));
  g_autofree char *rules = join (below (self, 2) == 0 ? "1*1+0" : index,
                                 below (self, 2) == 0 ? "-1*0+0" : "0*0+0", self->rank > 1);

  self->buffers[which] = below (self, 3) == 0
                             ? test_trace_buffer (self->trace, "crtrbp_", self->arrays[remote], 0,
                                                  self->rank == 1 ? "-1" : "-1,0")
                             : test_trace_buffer (self->trace, "crtrba_", self->arrays[remote],
                                                  self->arrays[local], rules);
  if (below (self, 3) == 0)
    test_trace_insrb (self->trace, self->group, self->buffers[which]);
}

static void
play_buffer (Program *self)
{
  guint which = (guint) below (self, N_BUFFERS);

  if (self->buffers[which] == 0)
    {
      make_buffer (self, which);
      return;
    }
  test_trace_load (self->trace, "loadrb_", self->buffers[which], (int) below (self, 2),
                   some_time (self));
  if (below (self, 2) == 0)
    test_trace_ordinary (self->trace, some_time (self), 0);
  if (below (self, 6) > 0)
    test_trace_load (self->trace, "waitrb_", self->buffers[which], 0, some_time (self));
  if (below (self, 4) > 0)
    return;
  test_trace_load (self->trace, "delrb_", self->buffers[which], 0, 0);
  self->buffers[which] = 0;
}

static void
play_group (Program *self)
{
  test_trace_buffer_group (self->trace, "loadbg_", self->group, (int) below (self, 2),
                           some_time (self));
  test_trace_ordinary (self->trace, some_time (self), 0);
  test_trace_buffer_group (self->trace, "waitbg_", self->group, 0, some_time (self));
}

static void
play_part (Program *self)
{
  static void (*const parts[]) (Program *) = { play_copy,   play_copy,  play_copy,  play_wait,
                                               play_move,   play_move,  play_group, play_buffer,
                                               play_buffer, play_buffer };
  guint part = (guint) below (self, G_N_ELEMENTS (parts) + 1);
  gboolean in_io = below (self, 8) == 0;

  if (part == G_N_ELEMENTS (parts))
    {
      test_trace_ordinary (self->trace, some_time (self), some_time (self));
      return;
    }
  if (in_io)
    test_trace_call (self->trace, "biof_", some_time (self), some_time (self), "", "");
  parts[part](self);
  if (in_io)
    test_trace_call (self->trace, "eiof_", some_time (self), some_time (self), "", "");
}

TestTrace *
test_copy_program (GRand *random, guint n_parts)
{
  Program self = { .trace = test_trace_new ("1 1"), .random = random };

  self.rank = 1 + (guint) below (&self, 2);
  make_objects (&self);
  for (guint i = 0; i < n_parts; i++)
    {
      gint64 line = 20 + below (&self, 4);
      gboolean inside = below (&self, 3) == 0;
      self.trace->line = 100 + i;
      if (inside)
        test_trace_open (self.trace, "bsloop_", line, line, some_time (&self), some_time (&self));
      play_part (&self);
      if (inside)
        test_trace_close (self.trace, "enloop_", line, line, some_time (&self), some_time (&self));
    }
  test_trace_exit (self.trace, some_time (&self));
  return self.trace;
}
