/* The report as a page: its sections, in their order.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-analysis-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-distribution-private.h"
#include "reports/page/pd-page-intervals-private.h"
#include "reports/page/pd-page-machine-private.h"
#include "reports/page/pd-page-matrix-private.h"
#include "reports/page/pd-page-parts-private.h"
#include "reports/page/pd-page-processors-private.h"
#include "reports/page/pd-page-report.h"
#include "reports/page/pd-page-scaling-private.h"
#include "reports/page/pd-page-scan-private.h"
#include "reports/page/pd-page-sensitivity-private.h"
#include "reports/page/pd-page-timeline-private.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-loss.h"
#include "reports/run/pd-report-recorded.h"
#include "reports/emit/pd-format.h"

#include <math.h>
#include <string.h>

#define RUN_ROOM 20000 /* bytes that a run needs at least: without, it is in the tables only */

/* ---- the head */

static const PdReportRun *
find_largest (const PdReport *self)
{
  const PdReportRun *largest = pd_report_run (self, 0);
  for (guint i = 1; i < self->runs->len; i++)
    if (pd_report_run (self, i)->n_processors > largest->n_processors)
      largest = pd_report_run (self, i);
  return largest;
}

/* The factors of prefixes, from the largest to the smallest. */
typedef struct
{
  gdouble factor;
  const char *unit;
} Unit;

static const Unit of_time[] = { { 1, "s" },     { 1e-3, "ms" },  { 1e-6, "µs" },
                                { 1e-9, "ns" }, { 1e-12, "ps" }, { 0, NULL } };
static const Unit of_bytes[] = { { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" },
                                 { 1e3, "kB" },  { 1, "B" },    { 0, NULL } };

/* "12.3 ms": three digits; nothing is "0 s". */
static char *
format_value (gdouble value, const Unit *units)
{
  while (units[1].unit != NULL && (value > 0 ? value < units->factor : units->factor > 1))
    units++;
  gdouble shown = value / units->factor;
  int decimals = shown >= 100 || !(shown > floor (shown)) ? 0 : shown >= 10 ? 1 : 2;
  g_autofree char *text = pd_report_fixed (shown, decimals);
  return g_strconcat (text, " ", units->unit, NULL);
}

/* "12.3 %"; small shares keep two digits. */
static char *
format_share (gdouble share)
{
  GString *text = g_string_new (NULL);

  pd_report_append_double (text, share > 0 && share < 0.001 ? "%.2g" : "%.1f", 100 * share);
  g_string_append (text, " %");
  return g_string_free (text, FALSE);
}

/* "; 42.1 ms to 46.7 ms with 90 %" */
static char *
describe_range (const PdTimeRange *range)
{
  PdTimeRangeEnds ends = pd_time_range_get (range);
  g_autofree char *low = format_value (pd_time_to_seconds (ends.low), of_time);
  g_autofree char *high = format_value (pd_time_to_seconds (ends.high), of_time);

  return g_strdup_printf ("; %s to %s with 90 %%", low, high);
}

static void
add_recorded_tile (PdPage *page, const PdReport *self, const PdReportRun *run)
{
  g_autofree char *recorded = NULL;
  g_autofree char *against = pd_report_describe_recorded (run, self->machine, &recorded);

  if (against != NULL)
    pd_page_add_tile (page, "Recorded run", recorded, against);
}

static void
add_time_tile (PdPage *page, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  g_autofree char *size = pd_report_describe_size (run);
  g_autofree char *value =
      format_value (pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum), of_time);
  g_autofree char *range = run->range != NULL ? describe_range (run->range) : NULL;
  g_autofree char *note = g_strconcat ("on ", size, range, NULL);

  pd_page_add_tile (page, "Execution time", value, note);
}

/* Of several runs what the largest gains, of one how well it uses its processors. */
static void
add_efficiency_tile (PdPage *page, const PdReport *self, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  g_autoptr (GArray) lines = pd_report_compare (self);
  guint base = pd_comparison_base (lines), i = 0;
  g_autofree char *percent = format_share (root->efficiency);

  if (lines->len < 2)
    {
      pd_page_add_tile (page, "Efficiency", percent, "of the time is productive");
      return;
    }
  while (pd_report_run (self, i) != run)
    i++;
  g_autofree char *value = pd_report_fixed (pd_comparison_speed_up (lines, i, base), 2);
  g_autofree char *note =
      g_strdup_printf ("against %u; efficiency %s",
                       g_array_index (lines, PdComparedRun, base).n_processors, percent);
  pd_page_add_tile (page, "Speed-up", value, note);
}

static void
add_loss_tiles (PdPage *page, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdTimeSum lost = root->values[PD_C_LOST_TIME].sum;
  guint largest = 2;

  for (guint part = 2; part < PD_PAGE_N_PARTS; part++)
    if (pd_page_get_part (root, part).ps > pd_page_get_part (root, largest).ps)
      largest = part;
  g_autofree char *value = format_share (pd_report_share (lost, root->total_time));
  pd_page_add_tile (page, "Lost", value, "of the time of all");
  if (lost.ps == 0)
    return;
  g_autofree char *part =
      pd_report_fixed (100 * pd_report_share (pd_page_get_part (root, largest), lost), 0);
  g_autofree char *imbalance = pd_report_find_statement (run, "load-imbalance");
  const char *name = pd_page_parts[largest].name;
  const char *reason = imbalance != NULL ? "load imbalance" : NULL;
  g_autofree char *note = g_strconcat (reason != NULL ? name : part, reason != NULL ? " is " : "",
                                       reason != NULL ? part : "", " % of the lost time", NULL);
  pd_page_add_tile (page, "Main cause", reason != NULL ? reason : name, note);
}

static void
add_message_tile (PdPage *page, const PdReportRun *run)
{
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, run->n_messages);
  g_autofree char *size = format_value ((gdouble) run->n_bytes.ps, of_bytes);
  g_autoptr (GString) grouped = g_string_new (NULL);
  gsize n = strlen (count);

  /* in thousands, by narrow spaces */
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append (grouped, "\xe2\x80\xaf");
      g_string_append_c (grouped, count[i]);
    }
  pd_page_add_tile (page, "Messages", grouped->str, size);
}

/* The sentence at the top: of an analysis, what its diagnosis begins with. */
static char *
describe_most (const PdReport *self)
{
  const PdReportRun *largest = self->runs->len > 0 ? find_largest (self) : NULL;

  if (largest == NULL || largest->analysis == NULL)
    return pd_report_describe_loss (self);
  g_autoptr (GArray) diagnosis = pd_report_diagnose (largest, pd_report_result (largest, 0));
  return g_strdup (g_array_index (diagnosis, PdStatement, 0).text);
}

static void
add_head (PdPage *page, const PdReport *self)
{
  GString *head = pd_page_get_head (page);
  g_autofree char *most = describe_most (self);

  if (self->machine != NULL)
    {
      g_string_append (head, "<p>Machine: <b>");
      pd_report_append_shown (head, self->machine);
      g_string_append (head, "</b> ");
      pd_report_append_shown (head, self->machine_text);
      g_string_append (head, "</p>\n");
    }
  if (most == NULL)
    return;
  pd_page_append_element (head, "p class=\"sum\"", most);
  const PdReportRun *largest = find_largest (self);
  add_time_tile (page, largest);
  add_recorded_tile (page, self, largest);
  add_efficiency_tile (page, self, largest);
  add_loss_tiles (page, largest);
  if (!largest->is_recorded)
    add_message_tile (page, largest);
}

/* ---- runs compared */

static void
append_comparison (PdPage *page, const PdReport *self, const GArray *lines)
{
  PdColumns to = { .out = pd_page_get_body (page) };
  g_autofree char *meaning = pd_comparison_describe_base (lines);
  guint i;

  for (i = 0; i < lines->len && pd_page_has_room (page); i++)
    {
      const PdIntervalResult *root = pd_report_result (pd_report_run (self, i), 0);
      g_autofree char *bar = pd_page_make_bar (root, root->total_time);
      pd_comparison_add (&to, lines, i, bar);
    }
  pd_columns_end (&to);
  pd_page_add_cut (page, lines->len - i, "runs", "--csv and --db write all of them");
  pd_page_append_element (to.out, "p class=\"dim\"", meaning);
}

static gdouble
get_line_value (const PdReport *self, const GArray *lines, guint i, guint column)
{
  const PdComparedRun *line = &g_array_index (lines, PdComparedRun, i);
  const PdIntervalResult *root = pd_report_result (pd_report_run (self, i), 0);

  switch (column)
    {
    case 0:
      return line->n_processors;
    case 1:
      return line->seconds;
    case 2:
      return pd_comparison_speed_up (lines, i, pd_comparison_base (lines));
    case 3:
      return line->efficiency;
    default:
      return pd_report_share (pd_page_get_part (root, column - 4), root->total_time);
    }
}

static void
add_comparison_data (PdPage *page, const PdReport *self, const GArray *lines)
{
  static const char *const columns[] = { "processors", "seconds", "speed_up", "efficiency" };
  g_autofree gdouble *values = g_new (gdouble, lines->len);
  guint base = pd_comparison_base (lines);

  pd_page_data_open (page, "comparison", '{');
  pd_page_data_open (page, "grid", '[');
  for (guint i = 0; i < lines->len; i++)
    pd_page_data_string (page, NULL, g_array_index (lines, PdComparedRun, i).grid);
  pd_page_data_close (page, ']');
  for (guint column = 0; column < G_N_ELEMENTS (columns) + PD_PAGE_N_PARTS; column++)
    {
      for (guint i = 0; i < lines->len; i++)
        values[i] = get_line_value (self, lines, i, column);
      if (column == G_N_ELEMENTS (columns))
        pd_page_data_open (page, "shares", '[');
      pd_page_data_numbers (page, column < G_N_ELEMENTS (columns) ? columns[column] : NULL, values,
                            lines->len);
    }
  pd_page_data_close (page, ']');
  pd_page_data_number (page, "base", g_array_index (lines, PdComparedRun, base).n_processors);
  pd_page_data_close (page, '}');
}

/* Of a message-passing program alone there is nothing to compare. */
static void
add_comparison (PdPage *page, const PdReport *self)
{
  g_autoptr (GArray) lines = pd_report_compare (self);
  gboolean several = lines->len > 1;

  if (!several && pd_report_run (self, 0)->model != PD_MODEL_DVM)
    return;
  pd_page_begin_section (page, "runs", several ? "Runs compared" : "The run",
                         several ? "Scaling of the program, and its limits." : NULL);
  if (several)
    {
      add_comparison_data (page, self, lines);
      pd_page_add_chart (page, "curves", "comparison", "Speed-up and efficiency");
      pd_page_add_chart (page, "shares", "comparison", "Where the time goes, % of each run");
    }
  pd_page_append_key (pd_page_get_body (page));
  append_comparison (page, self, lines);
  pd_page_add_scaling (page, self);
  pd_page_end_section (page);
}

/* ---- a run */

static void
append_traffic (GString *out, const PdReportRun *run)
{
  if (run->is_recorded)
    g_string_append (out, "<p>Measured.");
  else
    {
      g_string_append_printf (out, "<p>%" G_GUINT64_FORMAT " message%s of ", run->n_messages,
                              run->n_messages == 1 ? "" : "s");
      pd_report_append_wide (out, run->n_bytes.ps);
      g_string_append (out, " bytes in all.");
    }
  if (run->incomplete)
    {
      gboolean predicted = run->analysis == NULL && !run->is_recorded;
      g_autofree char *cut =
          pd_report_describe_cut (run, predicted ? "the prediction is" : "the analysis is");
      g_string_append_printf (out, " %s", cut);
    }
  g_string_append (out, "</p>\n");
}

/* Of @room an analysis, which comes first, may take a third, and intervals half of the remainder,
 * so that the rest fits, too. */
static void
add_run (PdPage *page, const PdReport *self, guint number, gboolean is_open, gsize room)
{
  const PdReportRun *run = pd_report_run (self, number - 1);
  g_autofree char *size = pd_report_describe_size (run);
  g_autofree char *id = g_strdup_printf ("run%u", number);

  if (self->runs->len > 1)
    pd_page_begin_folded (page, id, size, is_open);
  else
    pd_page_begin_section (page, id, size, NULL);
  append_traffic (pd_page_get_body (page), run);
  const PdReportRun *calls = run->analysis != NULL ? run : run->calls;
  if (calls != NULL)
    {
      pd_page_set_room (page, room / 3);
      pd_page_add_analysis (page, calls, id, self->per_processor);
      room -= room / 3;
    }
  pd_report_add_outside (&(PdColumns){ .out = pd_page_get_body (page) }, run);
  if (run->range != NULL)
    pd_time_range_add_table (run->range, &(PdColumns){ .out = pd_page_get_body (page) });
  pd_page_set_room (page, room / 2);
  pd_page_add_intervals (page, run, id);
  pd_page_add_cards (page, run, id);
  pd_page_set_room (page, room / 2);
  pd_page_add_characteristics (page, run);
  pd_page_add_operations (page, run, id);
  pd_page_add_processors (page, run, id);
  pd_page_add_timeline (page, run, id);
  pd_page_add_matrix (page, run, id);
  pd_page_add_efficiencies (page, self, run, id);
  pd_page_add_samples (page, run, id);
  pd_page_add_recorded (page, run, id);
  pd_page_add_sensitivity (page, run, id);
  pd_page_add_what_ifs (page, run, id);
  pd_page_add_scan (page, run, id);
  pd_page_end_section (page);
}

/* Each may have its share of the room that is left; the largest, which is open at first, half
 * of all. */
static void
add_runs (PdPage *page, const PdReport *self)
{
  const PdReportRun *largest = self->runs->len > 0 ? find_largest (self) : NULL;
  gsize reserve = pd_page_get_room (page) / 2;
  guint left_out = 0;

  for (guint i = 0; i < self->runs->len; i++)
    {
      gboolean is_largest = pd_report_run (self, i) == largest;
      gsize room = pd_page_get_room (page);
      if (is_largest)
        reserve = 0;
      gsize share = is_largest && self->runs->len > 1
                        ? room / 2
                        : (room - MIN (room, reserve)) / (self->runs->len - i);
      if (share < RUN_ROOM && !is_largest && room < RUN_ROOM + reserve)
        {
          left_out++;
          continue;
        }
      add_run (page, self, i + 1, is_largest, MAX (share, RUN_ROOM));
    }
  pd_page_set_room (page, G_MAXSIZE);
  pd_page_add_cut (page, left_out, "runs", "the table of all runs, --csv and --db have them");
}

/* ---- messages and origin */

static void
append_message (GString *out, const PdMergedMessage *m)
{
  gboolean is_warning = m->first->severity == PD_SEVERITY_WARNING;

  g_string_append_printf (out, "<li class=\"%s\"><b>%s</b> ", is_warning ? "warning" : "note",
                          is_warning ? "warning" : "note");
  pd_report_append_shown (out, m->first->text);
  g_string_append (out, " <span class=\"dim\">[");
  pd_report_append_shown (out, m->first->id);
  g_string_append_printf (out, "], %" G_GUINT64_FORMAT " time%s", m->count,
                          m->count == 1 ? "" : "s");
  if (m->first->place[0] != '\0')
    g_string_append (out, m->count == 1 ? ", at " : ", first at ");
  pd_report_append_shown (out, m->first->place);
  g_string_append (out, "</span></li>\n");
}

static void
add_messages (PdPage *page, const PdReport *self)
{
  g_autoptr (GArray) merged = pd_report_merge_messages (self);
  GString *out = pd_page_get_body (page);
  guint i;

  if (merged->len == 0)
    return;
  pd_page_begin_section (page, "messages", "Warnings and notes", NULL);
  g_string_append (out, "<ul class=\"messages\">\n");
  for (i = 0; i < merged->len && pd_page_has_room (page); i++)
    append_message (out, &g_array_index (merged, PdMergedMessage, i));
  g_string_append (out, "</ul>\n");
  pd_page_add_cut (page, merged->len - i, "messages", "--json and --xml write all of them");
  pd_page_end_section (page);
}

static gboolean
has_warning (const PdReport *self)
{
  g_autoptr (GArray) merged = pd_report_merge_messages (self);
  gboolean any = FALSE;

  for (guint i = 0; i < merged->len; i++)
    any |= g_array_index (merged, PdMergedMessage, i).first->severity == PD_SEVERITY_WARNING;
  return any;
}

static void
append_inputs (PdPage *page, const PdReport *self)
{
  static const PdColumn columns[] = { { .page = "<Input" }, { .page = "<SHA-256" } };
  PdColumns to = { .out = pd_page_get_body (page) };
  guint i;

  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (i = 0; i < self->inputs->len && pd_page_has_room (page); i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      g_autofree char *sum =
          g_strdup_printf ("<td class=\"l\"><code>%s</code></td>", input->sha256);
      pd_columns_add_text (&to, input->name);
      pd_columns_add_markup (&to, NULL, sum);
    }
  pd_columns_end (&to);
  pd_page_add_cut (page, self->inputs->len - i, "files", "--json and --xml write all of them");
}

static void
add_origin (PdPage *page, const PdReport *self)
{
  GString *out = pd_page_get_body (page);

  pd_page_begin_section (page, "origin", "How to reproduce this", NULL);
  g_string_append (out, "<pre><code>");
  pd_report_append_shown (out, self->command_line);
  g_string_append (out, "</code></pre>\n");
  if (self->inputs->len > 0)
    append_inputs (page, self);
  g_string_append (out, "<p class=\"dim\">Predictor " PD_VERSION);
  if (self->date != NULL)
    g_string_append (out, ", ");
  pd_report_append_shown (out, self->date);
  g_string_append (out, "</p>\n");
  pd_page_end_section (page);
}

/* By the file; an archive is named by its folder, since its anchor is traces.otf2 in all of them.
 */
static char *
name_program (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  if (strcmp (name, "traces.otf2") != 0)
    return g_steal_pointer (&name);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  return g_path_get_basename (whole);
}

void
pd_report_write_html (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  const PdReportRun *first = self->runs->len > 0 ? pd_report_run (self, 0) : NULL;
  gboolean analysed = first != NULL && first->analysis != NULL;
  g_autofree char *program =
      self->inputs->len > 0 ? name_program (g_array_index (self->inputs, PdReportInput, 0).name)
                            : g_strdup ("a program");
  gboolean predicted = !analysed && (first == NULL || !first->is_recorded);
  g_autofree char *title =
      g_strconcat (predicted ? "Prediction of " : "Analysis of ", program, NULL);
  g_autoptr (PdPage) page = pd_page_new (title);
  gboolean warned = analysed && has_warning (self); /* the sections below may be wrong */

  add_head (page, self);
  if (warned)
    add_messages (page, self);
  pd_page_add_model (page, self);
  if (analysed)
    pd_page_add_diagnosis (page, first);
  else if (first != NULL && !first->is_recorded)
    add_comparison (page, self);
  add_runs (page, self);
  pd_page_set_room (page, pd_page_get_room (page) / 2); /* warnings need some, too */
  pd_page_add_machine (page, self);
  pd_page_set_room (page, G_MAXSIZE);
  if (!warned)
    add_messages (page, self);
  add_origin (page, self);
  pd_page_write (page, out);
}
