/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-private.h"
#include "analyse/pd-waits.h"
#include "base/pd-text.h"
#include "reports/compare/pd-compare-calls-write-private.h"
#include "reports/emit/pd-emit.h"
#include "reports/emit/pd-table.h"
#include "intervals/pd-interval-rows.h"
#include "reports/compare/pd-compare-write.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

#include <math.h>

#define MAX_INDENT 12 /* levels */

static const char *const ids[2] = { "a", "b" };

/* Where an interval is. */
static const char *
presence (const PdComparePair *pair)
{
  return pd_compare_is_in_both (pair) ? "both" : pair->at[0] != PD_COMPARE_NONE ? "a" : "b";
}

static gboolean
is_shown (const PdCompare *self, guint i)
{
  return pd_compare_pair (self, i)->depth <= (guint) MIN (self->options.level, G_MAXINT);
}

/* Documents have everything unless something was asked for. */
static gboolean
is_written (const PdCompare *self, PdCharacteristic c)
{
  return pd_compare_applies (self, c) && (!self->options.chosen || self->options.wanted[c]);
}

/* ---- text */

static char *
signed_fixed (gdouble value, int decimals)
{
  g_autofree char *text = pd_report_fixed (value, decimals);

  return g_strconcat (value > 0 ? "+" : "", text, NULL);
}

/* A value close to 0 in A can become any multiple of that: the factor has no meaning. */
static char *
describe_relative (gdouble percent)
{
  if (isnan (percent))
    return g_strdup ("-");
  return percent > PD_COMPARE_MOST ? g_strdup_printf (">+%.0f", PD_COMPARE_MOST)
                                   : signed_fixed (percent, 2);
}

static void
add_value (PdTable *table, const PdCompareValue *value, int decimals)
{
  for (guint side = 0; side < 2; side++)
    pd_table_take (table, pd_report_fixed (pd_time_sum_to_seconds (value->values[side]), decimals));
  pd_table_take (table, signed_fixed ((gdouble) value->difference / 1e12, decimals));
  pd_table_take (table, describe_relative (value->relative));
}

/* The only one that has it. */
static void
add_alone (const PdCompare *self, PdTable *table, const PdComparePair *pair, PdCharacteristic c,
           int decimals)
{
  for (guint side = 0; side < 2; side++)
    {
      const PdIntervalResult *r = pd_compare_result (self, pair, side);
      pd_table_take (
          table, r == NULL ? g_strdup ("-")
                           : pd_report_fixed (pd_time_sum_to_seconds (r->values[c].sum), decimals));
    }
  pd_table_add (table, pair->at[0] != PD_COMPARE_NONE ? "only A" : "only B");
  pd_table_add (table, "");
}

static int
decimals_of (const PdCompare *self, PdCharacteristic c)
{
  PdCompareValue value = pd_compare_get_value (self, pd_compare_pair (self, 0), c);

  return pd_report_decimals (pd_time_sum_to_seconds (
      value.values[0].ps > value.values[1].ps ? value.values[0] : value.values[1]));
}

static gboolean
is_zero (const PdCompare *self, PdCharacteristic c)
{
  for (guint i = 0; i < self->pairs->len; i++)
    for (guint side = 0; side < 2; side++)
      {
        const PdIntervalResult *r = pd_compare_result (self, pd_compare_pair (self, i), side);
        if (r != NULL && r->values[c].sum.ps != 0)
          return FALSE;
      }
  return TRUE;
}

/* One characteristic in all intervals. */
static void
write_intervals (const PdCompare *self, PdCharacteristic c, guint width, GString *out)
{
  g_autofree char *first = g_strconcat ("<", pd_characteristic_row (c)->name, NULL);
  const char *const headings[] = { first, "A, s", "B, s", "B-A, s", "B-A, %", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  int decimals = decimals_of (self, c);

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const PdComparePair *pair = pd_compare_pair (self, i);
      if (!is_shown (self, i))
        continue;
      g_autofree char *label = pd_compare_label (self, pair);
      pd_table_take (
          table, g_strdup_printf ("%*s%s", (int) (2 * MIN (pair->depth, MAX_INDENT)), "", label));
      PdCompareValue value;
      if (!pd_compare_is_in_both (pair))
        add_alone (self, table, pair, c, decimals);
      else
        {
          value = pd_compare_get_value (self, pair, c);
          add_value (table, &value, decimals);
        }
    }
  g_string_append_c (out, '\n');
  pd_table_write (table, width, out);
}

/* All characteristics of the whole program that are not 0. */
static void
write_whole (const PdCompare *self, guint width, GString *out)
{
  static const char *const headings[] = {
    "<The whole program", "A, s", "B, s", "B-A, s", "B-A, %", NULL
  };
  g_autoptr (PdTable) table = pd_table_new (headings);
  int decimals = decimals_of (self, PD_C_EXECUTION_TIME);

  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      PdCompareValue value = pd_compare_get_value (self, pd_compare_pair (self, 0), c);
      if (!pd_compare_applies (self, c) || (value.values[0].ps == 0 && value.values[1].ps == 0))
        continue;
      pd_table_add (table, pd_characteristic_row (c)->name);
      add_value (table, &value, decimals);
    }
  g_string_append_c (out, '\n');
  pd_table_write (table, width, out);
}

static void
write_lines (const GPtrArray *lines, const char *before, GString *out)
{
  for (guint i = 0; i < lines->len; i++)
    {
      g_autofree char *clean = pd_text_show (g_ptr_array_index (lines, i));
      g_string_append_printf (out, "%s%s\n", before, clean);
    }
}

void
pd_compare_write_text (const PdCompare *self, guint width, GString *out)
{
  guint columns = width == 0 ? 80 : width;

  for (guint side = 0; side < 2; side++)
    {
      g_autofree char *text = pd_compare_side_describe (&self->sides[side]);
      g_autofree char *clean = pd_text_show (text);
      g_string_append_printf (out, "%c  %s\n", side == 0 ? 'A' : 'B', clean);
    }
  write_lines (self->notes, "Note: ", out);
  g_string_append_c (out, '\n');
  write_lines (self->sentences, "", out);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (self->options.wanted[c] && pd_compare_applies (self, c)
        && !(self->options.all && is_zero (self, c)))
      write_intervals (self, c, columns, out);
  if (!self->options.chosen && pd_compare_is_of_waiting (self))
    write_intervals (self, PD_C_COMMUNICATION, columns, out);
  if (!self->options.chosen)
    write_whole (self, columns, out);
  pd_compare_write_calls (self, columns, out);
  if (self->options.tolerance < 0)
    return;
  g_autofree char *tolerance = pd_report_fixed (self->options.tolerance, 2);
  g_string_append_printf (out, "\n%u of %u values differ by more than %s %%\n", self->n_beyond,
                          self->n_compared, tolerance);
}

/* ---- a characteristic of an interval */

typedef struct
{
  gint64 interval;
  gint64 parent;
  const char *in;
  const char *type;
  const char *characteristic;
  PdComparePair pair;
  PdCompareValue value;
  gdouble counts[3]; /* of calls: A's, B's and their difference; NAN: not in that run */
} Row;

#define PAIR(field)  .offset = G_STRUCT_OFFSET (Row, pair.field)
#define VALUE(field) .offset = G_STRUCT_OFFSET (Row, value.field)

static const PdField interval_fields[] = {
  { "interval", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (Row, interval) },
  { "parent", PD_FIELD_ID, .offset = G_STRUCT_OFFSET (Row, parent) },
  { "depth", PD_FIELD_NUMBER, PAIR (depth), .in = PD_IN_CSV },
  { "in", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (Row, in) },
  { "type", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (Row, type) },
  { "file", PD_FIELD_TEXT, PAIR (key.file) },
  { "line", PD_FIELD_INTEGER, PAIR (key.line) },
  { "index", PD_FIELD_INDEX, PAIR (key.index) },
  { "name", PD_FIELD_TEXT, PAIR (key.name) },
  { "characteristic", PD_FIELD_KIND, .offset = G_STRUCT_OFFSET (Row, characteristic),
    .in = PD_IN_CSV },
  PD_FIELDS_END,
};
static const PdField value_fields[] = {
  { "a", PD_FIELD_SUM, VALUE (values[0]) },
  { "b", PD_FIELD_SUM, VALUE (values[1]) },
  PD_FIELDS_END,
};
/* Of intervals that both have. */
static const PdField difference_fields[] = {
  { "difference", PD_FIELD_SUM, VALUE (difference) },
  { "percent", PD_FIELD_REAL, VALUE (relative) },
  PD_FIELDS_END,
};

static Row
make_row (const PdCompare *self, guint i)
{
  const PdComparePair *pair = pd_compare_pair (self, i);

  return (Row){ .interval = i,
                .parent = i > 0 ? (gint64) pair->parent : -1,
                .in = presence (pair),
                .type = pd_interval_type_name (pair->key.type),
                .pair = *pair };
}

static void
set_characteristic (const PdCompare *self, guint i, PdCharacteristic c, Row *row)
{
  const PdComparePair *pair = pd_compare_pair (self, i);

  row->characteristic = pd_characteristic_row (c)->id;
  if (pd_compare_is_in_both (pair))
    {
      row->value = pd_compare_get_value (self, pair, c);
      return;
    }
  row->value = (PdCompareValue){ { PD_FIELD_NO_SUM, PD_FIELD_NO_SUM }, PD_FIELD_NO_SUM.ps, NAN };
  for (guint side = 0; side < 2; side++)
    if (pd_compare_result (self, pair, side) != NULL)
      row->value.values[side] = pd_compare_result (self, pair, side)->values[c].sum;
}

/* ---- JSON */

static void
add_side (const PdCompare *self, PdJson *json, guint side)
{
  const PdCompareSide *of = &self->sides[side];

  pd_json_open (json, ids[side], '{');
  pd_json_add_string (json, "name", of->name);
  pd_json_begin (json, "run");
  if (of->id > 0)
    g_string_append_printf (json->out, "%" G_GINT64_FORMAT, of->id);
  else
    g_string_append (json->out, "null");
  pd_json_add_boolean (json, "measured", of->machine[0] == '\0');
  pd_json_add_string (json, "machine", of->machine[0] == '\0' ? NULL : of->machine);
  pd_json_add_integer (json, "processors", of->run->n_processors);
  pd_json_add_boolean (json, "incomplete", of->run->incomplete);
  if (of->run->recorded_share > 0)
    pd_json_add_double (json, "recorded_share", "%.6f", of->run->recorded_share);
  pd_json_close (json, '}');
}

static void
add_interval (const PdCompare *self, PdJson *json, guint i)
{
  Row row = make_row (self, i);

  pd_json_open (json, NULL, '{');
  pd_json_add_fields (json, interval_fields, &row);
  pd_json_open (json, "characteristics", '{');
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (is_written (self, c))
      {
        set_characteristic (self, i, c, &row);
        pd_json_open_flat (json, row.characteristic);
        pd_json_add_fields (json, value_fields, &row);
        if (pd_compare_is_in_both (pd_compare_pair (self, i)))
          pd_json_add_fields (json, difference_fields, &row);
        pd_json_close (json, '}');
      }
  pd_json_close (json, '}');
  pd_json_close (json, '}');
}

static void
add_lines (PdJson *json, const char *key, const GPtrArray *lines)
{
  pd_json_open (json, key, '[');
  for (guint i = 0; i < lines->len; i++)
    pd_json_add_string (json, NULL, g_ptr_array_index (lines, i));
  pd_json_close (json, ']');
}

void
pd_compare_write_json (const PdCompare *self, GString *out)
{
  PdJson json = { .out = out, .first = TRUE };

  pd_json_open (&json, NULL, '{');
  pd_json_begin (&json, "format");
  g_string_append (out, PD_REPORT_FORMAT);
  pd_json_add_string (&json, "program", "predictor");
  pd_json_add_string (&json, "version", PD_VERSION);
  pd_json_add_string (&json, "command_line", self->command_line);
  add_side (self, &json, 0);
  add_side (self, &json, 1);
  add_lines (&json, "notes", self->notes);
  add_lines (&json, "explanation", self->sentences);
  if (self->options.tolerance >= 0)
    {
      pd_json_add_double (&json, "tolerance", "%.12g", self->options.tolerance);
      pd_json_add_integer (&json, "compared", self->n_compared);
      pd_json_add_integer (&json, "beyond", self->n_beyond);
    }
  pd_json_open (&json, "intervals", '[');
  for (guint i = 0; i < self->pairs->len; i++)
    if (is_shown (self, i))
      add_interval (self, &json, i);
  pd_json_close (&json, ']');
  pd_compare_add_calls (self, &json);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}

/* ---- CSV */

/* Of calls of a place, as are times. */
static const PdField count_fields[] = {
  { "a", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Row, counts[0]) },
  { "b", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Row, counts[1]) },
  { "difference", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (Row, counts[2]) },
  { "percent", PD_FIELD_REAL, VALUE (relative) },
  PD_FIELDS_END,
};

/* @row: (nullable): %NULL: the headings */
static void
append_line (const Row *row, GString *out)
{
  pd_csv_append_fields (out, interval_fields, row);
  pd_csv_append_fields (out, value_fields, row);
  pd_csv_append_fields (out, difference_fields, row);
  pd_csv_end_line (out);
}

/* A value of the whole program, not of an interval. @name: borrowed */
static Row
make_other_row (const char *type, const char *in, const char *name, const char *characteristic)
{
  const PdIntervalKey key = { .index = PD_INTERVAL_NO_INDEX, .name = (char *) name };

  return (Row){ .parent = -1,
                .in = in,
                .type = type,
                .characteristic = characteristic,
                .pair = { .key = key },
                .value = { .relative = NAN } };
}

static gdouble
relative_of (gdouble a, gdouble b)
{
  return a > 0 ? 100 * (b - a) / a : b > 0 ? NAN : 0;
}

/* @a, @b: %PD_FIELD_NO_SUM where a run lacks it */
static void
append_times (Row *row, PdTimeSum a, PdTimeSum b, GString *out)
{
  gboolean both = g_str_equal (row->in, "both");

  row->value = (PdCompareValue){ { a, b }, PD_FIELD_NO_SUM.ps, NAN };
  if (both)
    {
      row->value.difference = b.ps - a.ps;
      row->value.relative = relative_of ((gdouble) a.ps, (gdouble) b.ps);
    }
  append_line (row, out);
}

static void
append_counts (Row *row, const PdCallsPair *pair, GString *out)
{
  for (guint side = 0; side < 2; side++)
    row->counts[side] = pair->of[side] != NULL ? (gdouble) pair->of[side]->count : NAN;
  row->counts[2] = row->counts[1] - row->counts[0];
  row->value.relative = isnan (row->counts[2]) ? NAN : relative_of (row->counts[0], row->counts[1]);
  pd_csv_append_fields (out, interval_fields, row);
  pd_csv_append_fields (out, count_fields, row);
  pd_csv_end_line (out);
}

/* Sums over the ranks, as of intervals. */
static void
append_calls (const PdCallsPair *pair, GString *out)
{
  const PdPlaceCalls *a = pair->of[0], *b = pair->of[1], *of = a != NULL ? a : b;
  const char *in = a != NULL && b != NULL ? "both" : a != NULL ? "a" : "b";
  Row row = make_other_row ("call_site", in, of->function, "count");

  row.pair.key.file = (char *) of->file;
  row.pair.key.line = of->line;
  append_counts (&row, pair, out);
  row.characteristic = "time";
  append_times (&row, a != NULL ? a->time : PD_FIELD_NO_SUM, b != NULL ? b->time : PD_FIELD_NO_SUM,
                out);
  row.characteristic = "waiting";
  append_times (&row, a != NULL ? a->waiting : PD_FIELD_NO_SUM,
                b != NULL ? b->waiting : PD_FIELD_NO_SUM, out);
}

/* Of two traces. */
static void
append_all_calls (const PdCompare *self, GString *out)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      PdTimeSum a = self->sides[0].calls->waits[i], b = self->sides[1].calls->waits[i];
      Row row =
          make_other_row ("wait_state", "both", pd_wait_state_id ((PdWaitState) i), "waiting");
      if (a.ps != 0 || b.ps != 0)
        append_times (&row, a, b, out);
    }
  for (guint i = 0; i < self->calls->len; i++)
    append_calls (&g_array_index (self->calls, PdCallsPair, i), out);
}

void
pd_compare_write_csv (const PdCompare *self, GString *out)
{
  append_line (NULL, out);
  for (guint i = 0; i < self->pairs->len; i++)
    for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS && is_shown (self, i); c++)
      if (is_written (self, c))
        {
          Row row = make_row (self, i);
          set_characteristic (self, i, c, &row);
          append_line (&row, out);
        }
  if (self->calls != NULL)
    append_all_calls (self, out);
}
