/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

PdGrid *
test_random_part (GRand *random, PdGrid *whole)
{
  gint64 first[PD_MAX_GRID_RANK], last[PD_MAX_GRID_RANK];
  gint64 n;

  for (guint d = 0; d < pd_grid_get_rank (whole); d++)
    {
      gint64 size = pd_grid_get_sizes (whole)[d];

      first[d] = test_random_between (random, 0, size - 1);
      last[d] = test_random_between (random, first[d], size - 1);
    }
  PdGrid *part = pd_grid_new_part (whole, first, last, NULL);
  n = pd_grid_get_n (part);
  if (test_random_between (random, 0, 2) > 0 || n % 2 != 0)
    return part;
  PdGrid *view = pd_grid_new_view (part, 2, (gint64[]){ 2, n / 2 }, NULL);
  pd_grid_unref (part);
  return view;
}

PdLayout *
test_random_layout (GRand *random, PdGrid *grid, guint rank)
{
  g_autoptr (PdLayout) pattern = test_random_template (random, grid);

  if (test_random_between (random, 0, 2) > 0)
    return test_random_array (random, pattern, rank);
  g_autoptr (PdLayout) middle = test_random_array (random, pattern, 0);
  return test_random_array (random, middle, rank);
}

PdLayout *
test_array (PdGrid *grid, const TestArray *array)
{
  g_autoptr (PdLayout) pattern = test_template (grid, array->template_sizes, array->axes);
  g_autoptr (GError) error = NULL;
  PdLayout *layout = test_align (pattern, array->sizes, array->rules, &error);

  g_assert_no_error (error);
  return layout;
}

/* Index lists of element @number. */
static void
find_index (const PdSection *section, gint64 number, gint64 *index)
{
  for (guint i = pd_layout_get_rank (section->layout); i-- > 0;)
    {
      const PdLoopRange *range = &section->ranges[i];
      gint64 count = (range->last - range->first) / range->step + 1;

      index[i] = range->first + number % count * range->step;
      number /= count;
    }
}

void
test_find_owners (const PdSection *section, gint64 number, TestOwners *owners)
{
  const PdLayout *layout = section->layout;
  const PdGrid *grid = pd_layout_get_grid (layout);
  gint64 index[PD_MAX_RANK];

  memset (owners, 0, sizeof *owners);
  find_index (section, number, index);
  for (guint32 linear = 0; linear < pd_grid_get_n (grid); linear++)
    {
      gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];
      gboolean owns = pd_layout_get_local (layout, linear, lo, hi);

      for (guint i = 0; owns && i < pd_layout_get_rank (layout); i++)
        owns = lo[i] <= index[i] && index[i] <= hi[i];
      owners->of[pd_grid_get_processor (grid, linear)] = owns;
    }
}

gint64
test_find_place (const PdSection *section, gint64 number, guint32 processor)
{
  const PdLayout *layout = section->layout;
  gint64 linear = pd_grid_find (pd_layout_get_grid (layout), processor);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], index[PD_MAX_RANK];
  gint64 place = 0;

  g_assert_true (linear >= 0 && pd_layout_get_local (layout, (guint32) linear, lo, hi));
  find_index (section, number, index);
  for (guint i = 0; i < pd_layout_get_rank (layout); i++)
    {
      gint64 n = hi[i] - lo[i] + 1;

      if (n < pd_layout_get_sizes (layout)[i] || section->ranges[i].step > 1)
        n += 2;
      place = place * n + index[i] - lo[i];
    }
  return place + 1;
}

static void
add_to_run (TestRuns *self, gint64 place)
{
  self->n += place == self->next ? 0 : 1;
  self->next = place + 1;
}

void
test_add_element (TestTraffic *self, guint32 p, guint32 q, gint64 bytes, gint64 source,
                  gint64 target)
{
  self->bytes[p][q] += bytes;
  add_to_run (&self->sent[p][q], source);
  add_to_run (&self->received[p][q], target);
}

void
test_section (PdSection *self, PdLayout *layout, const char *text)
{
  gint64 first[PD_MAX_RANK], last[PD_MAX_RANK], step[PD_MAX_RANK];
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *end = NULL;

      first[i] = g_ascii_strtoll (words[i], &end, 10);
      last[i] = *end == ':' ? g_ascii_strtoll (end + 1, &end, 10) : first[i];
      step[i] = *end == ':' ? g_ascii_strtoll (end + 1, &end, 10) : 1;
    }
  g_assert_true (pd_section_init (self, layout, text != NULL ? first : NULL, last, step, &error));
  g_assert_no_error (error);
}

char *
test_show_plan (const PdPlan *plan, guint32 n_processors)
{
  GString *text = g_string_new (NULL);
  guint n_sent = 0, n_received = 0;

  for (guint32 p = 0; p < n_processors; p++)
    {
      guint max = pd_plan_get_max (plan, p);
      g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, max + 1);
      guint n = pd_plan_get_messages (plan, p, messages);

      g_assert_cmpuint (n, ==, max);
      for (guint i = 0; i < n; i++)
        {
          n_received += messages[i].send ? 0 : 1;
          n_sent += messages[i].send ? 1 : 0;
          if (messages[i].send)
            g_string_append_printf (text, "%s%u>%u:%" G_GINT64_FORMAT, text->len > 0 ? " " : "", p,
                                    messages[i].peer, messages[i].bytes);
        }
    }
  g_assert_cmpuint (n_sent, ==, n_received);
  g_assert_cmpuint (pd_plan_get_total (plan), >=, n_sent);
  return g_string_free (text, FALSE);
}

static void
check_order (const PdPlan *plan, guint32 p, gboolean sends_first)
{
  g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, pd_plan_get_max (plan, p));
  guint n = pd_plan_get_messages (plan, p, messages);

  for (guint i = 1; i < n; i++)
    if (messages[i].send == messages[i - 1].send)
      g_assert_cmpuint (messages[i].peer, >, messages[i - 1].peer);
    else
      g_assert_true (messages[i - 1].send == sends_first);
}

static void
check_runs (gint64 runs, gint64 expected, gboolean exact)
{
  g_assert_cmpint (runs, >=, exact ? expected : (expected + 1) / 2);
  g_assert_cmpint (runs, <=, exact ? expected : 2 * expected);
}

static void
check_local (const PdPlan *plan, const TestTraffic *traffic, guint32 p, gboolean exact_runs)
{
  PdPlanLocal local;

  pd_plan_get_local (plan, p, &local);
  g_assert_cmpint (local.copied, ==, traffic->bytes[p][p]);
  g_assert_cmpint (local.touched, ==, 0);
  check_runs (local.runs, MAX (traffic->sent[p][p].n, traffic->received[p][p].n), exact_runs);
}

/* One processor's messages; adds them to @sum. */
static void
check_messages (const PdPlan *plan, const TestTraffic *traffic, guint32 p, gboolean exact_runs,
                PdTraffic *sum)
{
  guint max = pd_plan_get_max (plan, p);
  g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, max);
  guint n = pd_plan_get_messages (plan, p, messages);
  PdTraffic own, listed = { 0 };

  g_assert_cmpuint (n, ==, max);
  for (guint i = 0; i < n; i++)
    {
      gboolean send = messages[i].send;
      guint32 from = send ? p : messages[i].peer, to = send ? messages[i].peer : p;

      g_assert_cmpuint (from, !=, to);
      g_assert_cmpint (messages[i].bytes, >, 0);
      g_assert_cmpint (messages[i].bytes, ==, traffic->bytes[from][to]);
      check_runs (messages[i].runs,
                  send ? traffic->sent[from][to].n : traffic->received[from][to].n, exact_runs);
      *(send ? &listed.n_sent : &listed.n_received) += 1;
      *(send ? &listed.bytes_sent : &listed.bytes_received) += messages[i].bytes;
    }
  pd_plan_get_traffic (plan, p, &own);
  g_assert_true (memcmp (&own, &listed, sizeof own) == 0);
  sum->n_sent += own.n_sent;
  sum->n_received += own.n_received;
}

guint64
test_check_plan (const PdPlan *plan, const TestTraffic *traffic, gboolean sends_first,
                 gboolean exact_runs, guint64 *bound)
{
  guint64 total = 0, near = 0;
  PdTraffic sum = { 0 };

  for (guint32 p = 0; p < TEST_MAX_PROCESSORS; p++)
    for (guint32 q = 0; q < TEST_MAX_PROCESSORS; q++)
      {
        total += p != q && traffic->bytes[p][q] > 0 ? 1 : 0;
        near += traffic->near[p][q] ? 1 : 0;
      }
  for (guint32 p = 0; p < TEST_MAX_PROCESSORS; p++)
    {
      check_messages (plan, traffic, p, exact_runs, &sum);
      check_local (plan, traffic, p, exact_runs);
      check_order (plan, p, sends_first);
    }
  g_assert_cmpint (sum.n_sent, ==, (gint64) total);
  g_assert_cmpint (sum.n_received, ==, (gint64) total);
  g_assert_cmpuint (pd_plan_get_total (plan), >=, total);
  g_assert_cmpuint (pd_plan_get_total (plan), <=, near);
  *bound += pd_plan_get_total (plan);
  return total;
}
