/* The intervals of a run: the tree, what their time is made of, all characteristics, operations.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "analyse/pd-diagnosis.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/hints/pd-diagnosis-dvm.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-intervals-private.h"
#include "reports/page/pd-page-parts-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-rows.h"
#include "reports/emit/pd-format.h"

/* Intervals in the data of the chart: the first ones, so with parents. */
#define MAX_CHART      1000
#define INTERVAL_BYTES 100 /* of one, besides its name */

/* ---- data of the chart */

/* One value for each of the first intervals. */
typedef gdouble (*GetValue) (const PdIntervalResult *r, const guint *positions, guint part);

static gdouble
get_parent (const PdIntervalResult *r, const guint *positions, guint part)
{
  (void) part;
  return r->depth == 0 ? -1.0 : positions[r->parent];
}

static gdouble
get_processors (const PdIntervalResult *r, const guint *positions, guint part)
{
  (void) positions, (void) part;
  return r->n_processors;
}

static gdouble
get_seconds (const PdIntervalResult *r, const guint *positions, guint part)
{
  (void) positions, (void) part;
  return pd_time_sum_to_seconds (r->values[PD_C_EXECUTION_TIME].sum);
}

static gdouble
get_part (const PdIntervalResult *r, const guint *positions, guint part)
{
  (void) positions;
  return pd_time_sum_to_seconds (pd_page_get_part (r, part));
}

static void
add_column (PdPage *self, const PdReportRun *run, guint n, const char *key, GetValue get,
            guint part)
{
  g_autofree gdouble *values = g_new (gdouble, n);
  g_autofree guint *positions = pd_report_positions (run);

  for (guint i = 0; i < n; i++)
    values[i] = get (pd_report_result (run, i), positions, part);
  pd_page_data_numbers (self, key, values, n);
}

/* The tree needs room, too. */
static void
add_data (PdPage *self, const PdReportRun *run, const char *key)
{
  gsize end = self->json.out->len + pd_page_get_left (self) / 2;
  guint most = MIN (run->results->len, MAX_CHART), n;

  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "name", '[');
  for (n = 0; n < most && (n == 0 || self->json.out->len + n * INTERVAL_BYTES < end); n++)
    {
      g_autofree char *label = pd_report_label (pd_report_result (run, n));
      pd_page_data_string (self, NULL, label);
    }
  pd_page_data_close (self, ']');
  add_column (self, run, n, "parent", get_parent, 0);
  add_column (self, run, n, "processors", get_processors, 0);
  add_column (self, run, n, "seconds", get_seconds, 0);
  pd_page_data_open (self, "values", '[');
  for (guint part = 0; part < PD_PAGE_N_PARTS; part++)
    add_column (self, run, n, NULL, get_part, part);
  pd_page_data_close (self, ']');
  pd_page_data_close (self, '}');
}

/* ---- the tree */

void
pd_page_add_intervals (PdPage *self, const PdReportRun *run, const char *prefix)
{
  PdColumns to = { .out = self->body, .tree = TRUE };
  g_autofree char *key = pd_page_key (prefix, "intervals"), *id = pd_page_key (prefix, "time");
  guint i;

  pd_page_add_heading (self, id, "Where the time goes",
                       "Each interval of the program with the intervals inside it; the bar is its "
                       "share of the time of all processors.");
  add_data (self, run, key);
  pd_page_add_chart (self, "parts", key, "Time of all processors by interval, in parts");
  pd_page_append_key (self->body);
  for (i = 0; i < run->results->len && (i == 0 || pd_page_has_room (self)); i++)
    {
      g_autofree char *bar =
          pd_page_make_bar (pd_report_result (run, i), pd_report_result (run, 0)->total_time);
      pd_report_add_interval (&to, run, i, bar);
    }
  pd_columns_end (&to);
  pd_page_add_cut (self, run->results->len - i, "intervals", "--csv and --db write all of them");
}

/* ---- characteristics */

static void
add_characteristic (PdColumns *to, const PdReportRun *run, const PdIntervalResult *root,
                    PdCharacteristic c)
{
  const PdSummary *s = &root->values[c];
  const PdCharacteristicRow *row = pd_characteristic_row (c);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (root->total_time));
  g_autoptr (GString) cell = g_string_new ("<td class=\"l\" title=\"");

  pd_report_append_shown (cell,
                          run->model == PD_MODEL_MPI && row->mpi != NULL ? row->mpi : row->meaning);
  g_string_append_printf (cell, "\">%s</td>", row->name);
  pd_columns_add_markup (to, NULL, cell->str);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (s->sum), decimals);
  pd_columns_add_share (to, s->sum, root->total_time);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (pd_report_mean (root, c)), decimals);
  pd_columns_add_fixed (to, pd_time_to_seconds (s->min), decimals);
  pd_columns_add_count (to, s->min_at);
  pd_columns_add_fixed (to, pd_time_to_seconds (s->max), decimals);
  pd_columns_add_count (to, s->max_at);
}

static void
append_characteristics (PdPage *self, const PdReportRun *run, guint i)
{
  static const PdColumn columns[] = { { .page = "<Characteristic" }, { .page = "Seconds" },
                                      { .page = "% of total" },      { .page = "Mean" },
                                      { .page = "Minimum" },         { .page = "at" },
                                      { .page = "Maximum" },         { .page = "at" } };
  PdColumns to = { .out = self->body };
  const PdIntervalResult *r = pd_report_result (run, i);

  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (r->values[c].sum.ps != 0 && pd_characteristic_applies (c, run->model))
      add_characteristic (&to, run, r, c);
  pd_columns_end (&to);
}

void
pd_page_add_characteristics (PdPage *self, const PdReportRun *run)
{
  pd_page_begin_details (self, "All characteristics of the run");
  append_characteristics (self, run, 0);
  pd_page_end_details (self);
}

/* ---- cards: all there is of an interval, to which its row in the tree leads */

#define MAX_PROCESSORS 64 /* of a card */
#define MAX_LINKS      12 /* beside it, in it */
#define MAX_CARDS      60 /* of a run: the first ones */

static void
append_link (PdPage *self, const PdReportRun *run, const char *prefix, guint i, const char *before)
{
  g_autofree char *label = pd_report_label (pd_report_result (run, i));

  g_string_append_printf (self->body, "%s<a href=\"#%s-i%u\">", before, prefix, i);
  pd_report_append_shown (self->body, label);
  g_string_append (self->body, "</a>");
}

/* The enclosing, neighbouring and inner intervals. */
static void
append_relatives (PdPage *self, const PdReportRun *run, const char *prefix, guint number)
{
  static const char *const words[] = { "Inside ", "; beside ", "; contains " };
  g_autofree guint *positions = pd_report_positions (run);
  guint parent = positions[pd_report_result (run, number)->parent];

  g_string_append (self->body, "<p>");
  for (guint relation = number > 0 ? 0 : 2, any = 0; relation < 3; relation++, any = 0)
    for (guint i = 0; i < run->results->len; i++)
      {
        guint above = positions[pd_report_result (run, i)->parent];
        gboolean is_one = relation == 0   ? i == parent
                          : relation == 1 ? i > 0 && i != number && above == parent
                                          : i > 0 && i != number && above == number;
        if (is_one && any < MAX_LINKS && pd_page_has_room (self))
          append_link (self, run, prefix, i,
                       any++ > 0 ? ", " : words[relation] + (number == 0 ? 2 : 0));
      }
  g_string_append (self->body, "</p>\n");
}

static void
append_diagnosis (PdPage *self, const PdReportRun *run, guint i)
{
  g_autoptr (GArray) statements = pd_diagnosis_new_dvm (run->results, i);

  g_string_append (self->body, "<ul>\n");
  for (guint k = 0; k < statements->len; k++)
    pd_page_append_element (self->body, "li", g_array_index (statements, PdStatement, k).text);
  g_string_append (self->body, "</ul>\n");
}

static void
append_processors (PdPage *self, const PdReportRun *run, guint i)
{
  static const PdCharacteristic shown[] = { PD_C_EXECUTION_TIME,           PD_C_PRODUCTIVE_TIME,
                                            PD_C_INSUFFICIENT_PARALLELISM, PD_C_COMMUNICATION,
                                            PD_C_SYNCHRONIZATION,          PD_C_IDLE };
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);
  const PdIntervalResult *r = pd_report_result (run, i);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  PdColumns to = { .out = self->body };
  guint n = 0;

  pd_interval_tree_get_all_processors (run->tree, r->node, values, present);
  pd_columns_begin (&to, NULL, 0);
  pd_columns_add_column (&to, NULL, "Processor");
  for (gsize c = 0; c < G_N_ELEMENTS (shown); c++)
    pd_columns_add_column (&to, NULL, pd_characteristic_row (shown[c])->name);
  for (guint32 p = 0; p < run->n_processors; p++)
    {
      if (!present[p] || n++ >= MAX_PROCESSORS)
        continue;
      pd_columns_add_count (&to, p);
      for (gsize c = 0; c < G_N_ELEMENTS (shown); c++)
        pd_columns_add_fixed (
            &to, pd_time_to_seconds (values[(gsize) p * PD_N_CHARACTERISTICS + shown[c]]),
            decimals);
    }
  pd_columns_end (&to);
  if (n > MAX_PROCESSORS)
    {
      g_autofree char *note =
          g_strdup_printf ("The first %d of %u processors; --per-processor with --db writes all.",
                           MAX_PROCESSORS, n);
      pd_page_append_element (self->body, "p class=\"dim\"", note);
    }
}

/* Further tables of an interval, such as that of its operations, belong here. */
static void
add_card (PdPage *self, const PdReportRun *run, const char *prefix, guint i)
{
  g_autofree char *label = pd_report_label (pd_report_result (run, i));

  g_string_append_printf (self->body, "<details class=\"card\" id=\"%s-i%u\"><summary>", prefix, i);
  pd_report_append_shown (self->body, label);
  g_string_append (self->body, "</summary>\n");
  append_relatives (self, run, prefix, i);
  append_diagnosis (self, run, i);
  append_characteristics (self, run, i);
  append_processors (self, run, i);
  g_string_append (self->body, "</details>\n");
}

void
pd_page_add_cards (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *id = pd_page_key (prefix, "each");
  guint i, n = MIN (run->results->len, MAX_CARDS);

  if (!pd_report_has_diagnosis (run) || run->tree == NULL)
    return;
  pd_page_add_heading (self, id, n < run->results->len ? "The first intervals" : "Each interval",
                       "Its enclosing interval, the causes of its losses, its characteristics and "
                       "processors. A click on a row of the tree above opens it here.");
  g_string_append (self->body, "<div class=\"cards\">\n");
  for (i = 0; i < n && pd_page_has_room (self); i++)
    add_card (self, run, prefix, i);
  g_string_append (self->body, "</div>\n");
  pd_page_add_cut (self, n - i, "intervals", "--json and --xml write all of them");
}

/* ---- operations */

static gboolean
has_operations (const PdIntervalResult *r)
{
  gboolean any = FALSE;

  for (guint kind = 0; kind < PD_N_OPERATIONS && !any; kind++)
    any = pd_operations_has_any (r, kind);
  return any;
}

/* data-position: its row in the tree of intervals. */
static void
add_operations (PdPage *self, const PdReportRun *run, guint i)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  g_autofree char *label = pd_report_label (r);
  PdColumns to = { .out = self->body };

  g_string_append_printf (self->body, "<div data-position=\"%u\">", i);
  g_string_append (self->body, "<h4>");
  pd_report_append_shown (self->body, label);
  g_string_append (self->body, "</h4>\n");
  pd_report_add_operations (&to, r);
  g_string_append (self->body, "</div>\n");
}

void
pd_page_add_operations (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *id = pd_page_key (prefix, "operations");
  gsize end = self->body->len + pd_page_get_left (self) / 2;
  guint i, left = 0;

  if (run->model != PD_MODEL_DVM || !has_operations (pd_report_result (run, 0)))
    return;
  pd_page_add_heading (self, id, "Operations",
                       "The number of operations of each kind, and the time of all processors "
                       "in them. Each operation is counted once. Choose an interval "
                       "here, or by its row in the tree of intervals.");
  g_string_append (self->body, "<div class=\"choice\">\n");
  for (i = 0; i < run->results->len && (i == 0 || self->body->len < end); i++)
    if (has_operations (pd_report_result (run, i)))
      add_operations (self, run, i);
  g_string_append (self->body, "</div>\n");
  for (; i < run->results->len; i++)
    left += has_operations (pd_report_result (run, i)) ? 1 : 0;
  pd_page_add_cut (self, left, "intervals", "--csv and --db write all of them");
}
