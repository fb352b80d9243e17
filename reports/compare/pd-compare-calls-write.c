/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-calls-write-private.h"

#include "analyse/pd-waits.h"
#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-emit.h"
#include "reports/emit/pd-format.h"

#include <string.h>

#define MAX_ROWS    10  /* of the text, unless everything was asked for */
#define LEAST_WIDTH 100 /* a narrower table would cut the places */

/* Their times in a text are those of a rank on average, so that runs on different numbers of
 * ranks can be compared. */
static gdouble
wait_of (const PdCompare *self, guint side, guint state)
{
  const PdRunCalls *calls = self->sides[side].calls;

  return pd_time_sum_to_seconds (calls->waits[state]) / MAX (calls->n_ranks, 1);
}

static void
add_difference (PdColumns *to, const gdouble *seconds, int decimals)
{
  gdouble difference = seconds[1] - seconds[0];
  g_autofree char *number = pd_report_fixed (difference, decimals);
  gboolean zero = strspn (number, "-0.") == strlen (number);
  g_autofree char *text =
      g_strconcat (difference > 0 && !zero ? "+" : "", number + (zero && number[0] == '-'), NULL);

  pd_columns_add_fixed (to, seconds[0], decimals);
  pd_columns_add_fixed (to, seconds[1], decimals);
  pd_columns_add_text (to, text);
}

static void
write_waits (const PdCompare *self, int decimals, guint width, GString *out)
{
  static const PdColumn columns[] = {
    { "<Waiting, per rank", NULL }, { "A, s", NULL }, { "B, s", NULL }, { "B-A, s", NULL }
  };
  g_auto (PdColumns) to = { .out = out, .width = width };

  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      const gdouble seconds[2] = { wait_of (self, 0, i), wait_of (self, 1, i) };
      if (!(seconds[0] > 0) && !(seconds[1] > 0))
        continue;
      if (pd_columns_begin (&to, PD_COLUMNS (columns)))
        g_string_append_c (out, '\n');
      pd_columns_add_text (&to, pd_wait_state_name ((PdWaitState) i));
      add_difference (&to, seconds, decimals);
    }
  pd_columns_end (&to);
}

static void
add_calls (PdColumns *to, const PdCallsPair *pair, int decimals)
{
  g_autofree char *label = pd_compare_calls_label (pair);

  pd_columns_add_text (to, label);
  add_difference (to, pair->seconds, decimals);
  for (guint side = 0; side < 2; side++)
    {
      const PdPlaceCalls *of = pair->of[side];
      g_autofree char *count =
          of != NULL ? g_strdup_printf ("%" G_GUINT64_FORMAT, of->count) : NULL;
      pd_columns_add_text (to, count != NULL ? count : "-");
    }
  for (guint side = 0; side < 2; side++)
    {
      const PdPlaceCalls *of = pair->of[side];
      pd_columns_add_share (to, of != NULL ? of->waiting : (PdTimeSum){ 0 },
                            of != NULL ? of->time : (PdTimeSum){ 0 });
    }
}

void
pd_compare_write_calls (const PdCompare *self, guint width, GString *out)
{
  static const PdColumn columns[] = { { "<Call site, per rank", NULL },
                                      { "A, s", NULL },
                                      { "B, s", NULL },
                                      { "B-A, s", NULL },
                                      { "Calls A", NULL },
                                      { "Calls B", NULL },
                                      { "Wait% A", NULL },
                                      { "Wait% B", NULL } };
  g_auto (PdColumns) to = { .out = out, .width = MAX (width, LEAST_WIDTH) };

  if (self->calls == NULL || self->calls->len == 0)
    return;
  guint n = self->options.all ? self->calls->len : MIN (self->calls->len, MAX_ROWS);
  gdouble largest = 0;
  for (guint i = 0; i < self->calls->len; i++)
    for (guint side = 0; side < 2; side++)
      largest = MAX (largest, g_array_index (self->calls, PdCallsPair, i).seconds[side]);
  int decimals = pd_report_decimals (largest);
  write_waits (self, decimals, width, out);
  g_string_append_c (out, '\n');
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (guint i = 0; i < n; i++)
    add_calls (&to, &g_array_index (self->calls, PdCallsPair, i), decimals);
  pd_columns_end (&to);
  if (n < self->calls->len)
    g_string_append_printf (out, "%u of %u call sites, by difference; --all lists all\n", n,
                            self->calls->len);
}

/* ---- JSON: sums of all ranks */

#define PLACE(field) .offset = G_STRUCT_OFFSET (PdPlaceCalls, field)

static const PdField place_fields[] = {
  { "file", PD_FIELD_TEXT, PLACE (file) },
  { "line", PD_FIELD_INTEGER, PLACE (line) },
  { "caller", PD_FIELD_TEXT, PLACE (caller) },
  { "count", PD_FIELD_COUNT, PLACE (count) },
  { "time", PD_FIELD_SUM, PLACE (time) },
  { "waiting", PD_FIELD_SUM, PLACE (waiting) },
  PD_FIELDS_END,
};

static void
add_sides (PdJson *json, const PdCallsPair *pair)
{
  static const char *const ids[2] = { "a", "b" };

  for (guint side = 0; side < 2; side++)
    {
      if (pair->of[side] == NULL)
        {
          pd_json_add_string (json, ids[side], NULL);
          continue;
        }
      pd_json_open_flat (json, ids[side]);
      pd_json_add_fields (json, place_fields, pair->of[side]);
      pd_json_close (json, '}');
    }
}

static void
add_waits (const PdCompare *self, PdJson *json)
{
  static const PdField fields[] = {
    { "a", PD_FIELD_SUM, .offset = 0 },
    { "b", PD_FIELD_SUM, .offset = sizeof (PdTimeSum) },
    PD_FIELDS_END,
  };

  pd_json_open (json, "wait_states", '{');
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      const PdTimeSum both[2] = { self->sides[0].calls->waits[i], self->sides[1].calls->waits[i] };
      pd_json_open_flat (json, pd_wait_state_id ((PdWaitState) i));
      pd_json_add_fields (json, fields, both);
      pd_json_close (json, '}');
    }
  pd_json_close (json, '}');
}

void
pd_compare_add_calls (const PdCompare *self, PdJson *json)
{
  if (self->calls == NULL)
    return;
  add_waits (self, json);
  pd_json_open (json, "call_sites", '[');
  for (guint i = 0; i < self->calls->len; i++)
    {
      const PdCallsPair *pair = &g_array_index (self->calls, PdCallsPair, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_string (json, "function", pair->of[pair->of[0] == NULL]->function);
      add_sides (json, pair);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
}
