/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/statistics.h"

#include <string.h>
#include <zlib.h>

#define N_GROUPS     28
#define N_DOUBLES    (7 + 3 * N_GROUPS * N_GROUPS)
#define BASE         0x10000u /* where the block was in memory */
#define ACCELERATORS 40       /* bytes in the head */
#define PART         24       /* and in an interval */
#define BEHIND       32       /* bytes that are not used */

typedef struct
{
  const TestStatisticsForm *form;
  GByteArray *out;
} Writer;

static void
put (Writer *self, guint64 value, guint size)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * (self->form->big ? size - 1 - i : i));
      g_byte_array_append (self->out, &byte, 1);
    }
}

static void
put_double (Writer *self, gdouble value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  put (self, bits, sizeof bits);
}

static void
put_zeros (Writer *self, gsize n)
{
  for (gsize i = 0; i < n; i++)
    put (self, 0, 1);
}

/* ---- what is in it */

typedef struct
{
  guint outer, inner;
  gdouble calls, productive, lost; /* seconds */
  gdouble more;                    /* productive time of processor 1, or lost time of messages */
} Cell;

static const struct
{
  guint level, type, line;
  guint64 index;
  gint parent;
  gdouble entries;
  Cell cells[5];
} intervals[] = {
  { 0,
    21,
    6,
    2000000000,
    -1,
    0.5,
    { { 0, 0, 0, 0.001, 0.001, 0 }, { 13, 0, 0, 0.004, 0, -0.004 } } },
  { 1,
    23,
    16,
    2,
    0,
    0.5,
    { { 0, 0, 0, 0.0005, 0.0005, 0 },
      { 0, 3, 5, 0, 0, 0 },
      { 3, 1, 0, 0.001, 0.003, 0.001 },
      { 6, 1, 0, 0, 0.002, 0 } } },
  { 2,
    22,
    19,
    2000000000,
    1,
    10,
    { { 0, 0, 0, 0.010, 0, 0.002 },
      { 11, 1, 0, 0, 0.0005, 0 },
      { 10, 10, 1, 0.0001, 0.0001, 0 } } },
};

static void
get_cell (gsize interval, guint p, guint outer, guint inner, gdouble *values)
{
  const Cell *cells = intervals[interval].cells;

  memset (values, 0, 3 * sizeof *values);
  for (gsize i = 0; i < G_N_ELEMENTS (intervals[0].cells); i++)
    if (cells[i].outer == outer && cells[i].inner == inner
        && (cells[i].calls > 0 || cells[i].productive > 0 || cells[i].lost > 0))
      {
        values[0] = cells[i].calls;
        values[1] = cells[i].productive + (inner != 1 && p == 1 ? cells[i].more : 0);
        values[2] = cells[i].lost + (inner == 1 && p == 1 ? cells[i].more : 0);
      }
}

/* ---- the layout */

static gsize
get_head_size (const TestStatisticsForm *form)
{
  return 18 + 7 * form->size_l + form->size_v + 8 + 2 * form->size_l + 8 + ACCELERATORS;
}

static gsize
get_interval_size (const TestStatisticsForm *form)
{
  return 4 + 7 * form->size_l + 4 * form->size_v + 8 * N_DOUBLES + PART + 16 * form->threads
         + strlen ("st.fdv") + 1;
}

static gsize
get_block_size (const TestStatisticsForm *form)
{
  return get_head_size (form) + G_N_ELEMENTS (intervals) * get_interval_size (form) + BEHIND;
}

static void
put_head (Writer *self)
{
  const TestStatisticsForm *form = self->form;
  guint l = form->size_l;
  const guint64 longs[] = { 2,
                            1,
                            0,
                            G_N_ELEMENTS (intervals),
                            get_block_size (form),
                            G_N_ELEMENTS (intervals) * get_interval_size (form),
                            0 };
  const guint64 consts[] = { 1, 2, l, form->size_v, 8, /* shorts: */ 2, 2, 0, 8 };

  for (gsize i = 0; i < G_N_ELEMENTS (consts); i++)
    put (self, consts[i], 2);
  for (gsize i = 0; i < G_N_ELEMENTS (longs); i++)
    put (self, longs[i], l);
  put (self, BASE, form->size_v);
  put_double (self, 0.1);
  put (self, 2, l);
  put (self, 1, l);
  g_byte_array_append (self->out, (const guint8 *) "1.0\0lin", 8);
  put (self, ACCELERATORS, l);
  put (self, PART, l);
  put (self, form->threads, l);
  put_zeros (self, ACCELERATORS - 3 * l);
}

static void
put_interval (Writer *self, gsize i, guint p)
{
  guint l = self->form->size_l, v = self->form->size_v;
  gint parent = intervals[i].parent;
  gsize up =
      BASE + get_head_size (self->form) + (gsize) MAX (parent, 0) * get_interval_size (self->form);
  const guint64 longs[] = { intervals[i].line, 30, intervals[i].index, 2, i + 1, 0, 0 };
  gdouble values[3];

  put (self, intervals[i].level, 2);
  put (self, intervals[i].type, 2);
  for (gsize k = 0; k < G_N_ELEMENTS (longs); k++)
    put (self, longs[k], l);
  put (self, parent < 0 ? 0 : up, v);
  put_zeros (self, 3 * v);
  put_double (self, intervals[i].entries);
  put_zeros (self, 6 * 8);
  for (guint outer = 0; outer < N_GROUPS; outer++)
    for (guint inner = 0; inner < N_GROUPS; inner++)
      {
        get_cell (i, p, outer, inner, values);
        for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
          put_double (self, values[k]);
      }
  put_zeros (self, PART + 16 * self->form->threads);
  g_byte_array_append (self->out, (const guint8 *) "st.fdv", 7);
}

/* ---- the file */

static void
compress_block (GByteArray *to, const GByteArray *block, guint p)
{
  uLongf size = compressBound (block->len);
  g_autofree guint8 *data = g_malloc (size);

  g_assert_cmpint (compress2 (data, &size, block->data, block->len, 6), ==, Z_OK);
  g_autofree char *head = g_strdup_printf ("%u%c2%c%.10u", block->len, '@', '@', (guint) size);
  g_autofree char *later = g_strdup_printf ("%.10u", (guint) size);
  char *text = p == 0 ? head : later;
  gsize length = strlen (text) + 1;
  for (gsize i = 0; i < length; i++)
    if (text[i] == '@')
      text[i] = '\0';
  g_byte_array_append (to, (const guint8 *) text, (guint) length);
  g_byte_array_append (to, data, (guint) size);
}

GBytes *
test_statistics_new (const TestStatisticsForm *form)
{
  GByteArray *file = g_byte_array_new ();

  for (guint p = 0; p < 2; p++)
    {
      g_autoptr (GByteArray) block = g_byte_array_new ();
      Writer writer = { form, block };
      put_head (&writer);
      for (gsize i = 0; i < G_N_ELEMENTS (intervals); i++)
        put_interval (&writer, i, p);
      put_zeros (&writer, BEHIND);
      g_assert_cmpuint (block->len, ==, get_block_size (form));
      if (form->compressed)
        compress_block (file, block, p);
      else
        g_byte_array_append (file, block->data, block->len);
    }
  return g_byte_array_free_to_bytes (file);
}
