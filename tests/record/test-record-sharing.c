/* Whether ranks share processors.
 * SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-options.h"
#include "record/life/pd-rec-sharing.h"
#include "record/stream/pd-rec-usage.h"

#include <glib.h>
#include <string.h>

#define MAX_RANKS 4

/* Of each rank: its host, its processors ("": unknown), the limit of its control group. */
static const struct
{
  const char *name;
  struct
  {
    guint64 host;
    const char *processors; /* NULL: no more ranks */
    guint64 quota;
  } ranks[MAX_RANKS];
  gboolean share;
} rows[] = {
  { "as-many", { { 1, "0-1", 0 }, { 1, "0-1", 0 } }, FALSE },
  { "too-many", { { 1, "0-1", 0 }, { 1, "0-1", 0 }, { 1, "0-1", 0 } }, TRUE },
  { "two-hosts", { { 1, "0", 0 }, { 2, "0", 0 } }, FALSE },
  { "one-of-two-hosts", { { 2, "0", 0 }, { 1, "0", 0 }, { 2, "0", 0 } }, TRUE },
  { "bound", { { 1, "0", 0 }, { 1, "1", 0 }, { 1, "2", 0 }, { 1, "3", 0 } }, FALSE },
  { "bound-to-one", { { 1, "0", 0 }, { 1, "1", 0 }, { 1, "1", 0 } }, TRUE },
  { "within", { { 1, "0-1", 0 }, { 1, "0", 0 }, { 1, "1", 0 } }, TRUE },
  { "beside", { { 1, "0-1", 0 }, { 1, "1-2", 0 }, { 1, "2-3", 0 } }, FALSE },
  { "limit", { { 1, "0-7", 1500 }, { 1, "0-7", 1500 } }, TRUE },
  { "limit-is-enough", { { 1, "0-7", 2000 }, { 1, "0-7", 2000 } }, FALSE },
  { "unknown", { { 1, "", 0 }, { 1, "", 0 }, { 1, "", 0 } }, FALSE },
  { "high-numbers", { { 1, "1023", 0 }, { 1, "1023", 0 } }, TRUE },
};

static void
test_sharing (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdRecPlace places[MAX_RANKS];
  guint n = 0;

  for (; n < MAX_RANKS && rows[i].ranks[n].processors != NULL; n++)
    {
      PdRecUsage usage = { .quota = 0 };
      if (*rows[i].ranks[n].processors != '\0')
        g_assert_cmpint (pd_rec_processors_parse (&usage, rows[i].ranks[n].processors), ==, 0);
      places[n] = (PdRecPlace){ .host = rows[i].ranks[n].host, .quota = rows[i].ranks[n].quota };
      memcpy (places[n].processors, usage.processors, sizeof usage.processors);
    }
  g_assert_cmpint (pd_rec_sharing_find (places, n), ==, rows[i].share);
}

static void
test_option (void)
{
  static const struct
  {
    const char *text;
    int clock; /* -1: refused */
  } options[] = {
    { "", PD_REC_CLOCK_AUTO },
    { "auto", PD_REC_CLOCK_AUTO },
    { "cpu", PD_REC_CLOCK_CPU },
    { "wall", PD_REC_CLOCK_WALL },
    { "CPU", -1 },
    { "cpu ", -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      PdRecOptions read;
      PdRecError error = { "" };
      g_setenv ("PREDICTOR_CLOCK", options[i].text, TRUE);
      int status = pd_rec_options_read (&read, 1, &error);
      g_assert_cmpint (status, ==, options[i].clock < 0 ? -1 : 0);
      if (status == 0)
        g_assert_cmpint (read.clock, ==, options[i].clock);
      else
        g_assert_nonnull (strstr (error.text, "expected cpu, wall or auto"));
    }
  g_unsetenv ("PREDICTOR_CLOCK");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = g_strconcat ("/record/sharing/", rows[i].name, NULL);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_sharing);
    }
  g_test_add_func ("/record/sharing/option", test_option);
  return g_test_run ();
}
