/* The parts of the time of each processor; of many processors, of groups of them.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "intervals/pd-interval-fold.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-parts-private.h"
#include "reports/page/pd-page-processors-private.h"
#include "reports/emit/pd-format.h"

#define MAX_GROUPS 512

/* Parts of time of groups of processors that are next to each other; seconds. Each array
 * has n_groups values for each part, part by part. */
typedef struct
{
  guint n_groups;
  gdouble *first; /* processor */
  gdouble *last;
  gdouble *mean;
  gdouble *min;
  gdouble *max;
} Groups;

static void
groups_clear (Groups *self)
{
  g_free (self->first);
  g_free (self->last);
  g_free (self->mean);
  g_free (self->min);
  g_free (self->max);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Groups, groups_clear)

static gdouble
get_part (const PdTime *values, guint part)
{
  PdTime value = values[pd_page_parts[part].c];

  if (part == 0)
    value.ps -= values[PD_C_IO_TIME].ps;
  return pd_time_to_seconds (value);
}

/* Processors from @from up to @to, which is not one of them. */
static void
fill_group (Groups *self, guint group, const PdTime *values, guint32 from, guint32 to)
{
  self->first[group] = from;
  self->last[group] = to - 1;
  for (guint part = 0; part < PD_PAGE_N_PARTS; part++)
    {
      gsize at = (gsize) part * self->n_groups + group;
      for (guint32 p = from; p < to; p++)
        {
          gdouble value = get_part (values + (gsize) p * PD_N_CHARACTERISTICS, part);
          self->mean[at] += value / (to - from);
          self->min[at] = p == from ? value : MIN (self->min[at], value);
          self->max[at] = p == from ? value : MAX (self->max[at], value);
        }
    }
}

static void
groups_init (Groups *self, const PdReportRun *run)
{
  guint32 n = run->n_processors;
  g_autofree PdTime *values = g_new (PdTime, (gsize) n * PD_N_CHARACTERISTICS);

  *self = (Groups){ .n_groups = MIN (n, MAX_GROUPS) };
  gsize size = (gsize) self->n_groups * PD_PAGE_N_PARTS;
  self->first = g_new0 (gdouble, self->n_groups);
  self->last = g_new0 (gdouble, self->n_groups);
  self->mean = g_new0 (gdouble, size);
  self->min = g_new0 (gdouble, size);
  self->max = g_new0 (gdouble, size);
  pd_interval_tree_get_all_processors (run->tree, PD_INTERVAL_ROOT, values, NULL);
  for (guint g = 0; g < self->n_groups; g++)
    fill_group (self, g, values, (guint32) ((guint64) n * g / self->n_groups),
                (guint32) ((guint64) n * (g + 1) / self->n_groups));
}

/* ---- data and table */

static void
add_parts (PdPage *self, const char *key, const gdouble *values, guint n)
{
  pd_page_data_open (self, key, '[');
  for (guint part = 0; part < PD_PAGE_N_PARTS; part++)
    pd_page_data_numbers (self, NULL, values + (gsize) part * n, n);
  pd_page_data_close (self, ']');
}

static void
add_data (PdPage *self, const Groups *groups, const char *key, const char *unit)
{
  pd_page_data_open (self, key, '{');
  pd_page_data_string (self, "unit", unit);
  pd_page_data_numbers (self, "first", groups->first, groups->n_groups);
  pd_page_data_numbers (self, "last", groups->last, groups->n_groups);
  add_parts (self, "mean", groups->mean, groups->n_groups);
  add_parts (self, "min", groups->min, groups->n_groups);
  add_parts (self, "max", groups->max, groups->n_groups);
  pd_page_data_close (self, '}');
}

static void
add_group (PdColumns *to, const Groups *groups, guint g, int decimals)
{
  g_autofree char *label = groups->first[g] < groups->last[g]
                               ? g_strdup_printf ("%.0f to %.0f", groups->first[g], groups->last[g])
                               : g_strdup_printf ("%.0f", groups->first[g]);

  pd_columns_add_text (to, label);
  for (guint part = 0; part < PD_PAGE_N_PARTS; part++)
    pd_columns_add_fixed (to, groups->mean[(gsize) part * groups->n_groups + g], decimals);
}

static void
append_table (PdPage *self, const Groups *groups, gdouble total, const char *unit)
{
  PdColumns to = { .out = self->body };
  int decimals = pd_report_decimals (total);
  guint g;

  pd_columns_begin (&to, &(PdColumn){ .page = unit }, 1);
  for (guint part = 0; part < PD_PAGE_N_PARTS; part++)
    {
      g_autofree char *title = g_strconcat (pd_page_parts[part].name, ", s", NULL);
      pd_columns_add_column (&to, NULL, title);
    }
  for (g = 0; g < groups->n_groups && pd_page_has_room (self); g++)
    add_group (&to, groups, g, decimals);
  pd_columns_end (&to);
  pd_page_add_cut (self, groups->n_groups - g, "rows", "--per-processor with --db writes all");
}

void
pd_page_add_processors (PdPage *self, const PdReportRun *run, const char *prefix)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  gdouble total = pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum);
  const char *unit = run->model == PD_MODEL_MPI ? "Rank" : "Processor";
  g_autofree char *key = pd_page_key (prefix, "processors");
  g_auto (Groups) groups = { 0 };

  /* of runs that come from elsewhere there are no values of processors */
  if (run->tree == NULL || run->n_processors < 2)
    return;
  groups_init (&groups, run);
  g_autofree char *lead = g_strdup_printf (
      groups.n_groups < run->n_processors ? "Parts of the time of the %u %ss, in %u groups of "
                                            "neighbours; a stronger colour is more time. A "
                                            "stripe is a processor that differs."
                                          : "Parts of the time of each of the %u %ss; a "
                                            "stronger colour is more time. A stripe is a processor "
                                            "that differs.",
      run->n_processors, run->model == PD_MODEL_MPI ? "rank" : "processor", groups.n_groups);
  pd_page_add_heading (self, key, run->model == PD_MODEL_MPI ? "Ranks" : "Processors", lead);
  add_data (self, &groups, key, unit);
  pd_page_add_chart (self, "processors", key,
                     run->model == PD_MODEL_MPI ? "Parts of the time of each rank"
                                                : "Parts of the time of each processor");
  pd_page_begin_details (self, "The same as a table");
  append_table (self, &groups, total, unit);
  pd_page_end_details (self);
}
