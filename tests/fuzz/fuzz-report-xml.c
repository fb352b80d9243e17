/* XML reports from arbitrary bytes, compared with themselves.
 * SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare.h"
#include "reports/results/pd-results-read.h"
#include "reports/compare/pd-compare-write.h"
#include "reports/results/pd-results-xml.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Returns: whether there is a run in @bytes; @side becomes it. */
static gboolean
read_side (GBytes *bytes, PdCompareSide *side)
{
  g_auto (PdStoredRun) stored = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_results_parse_xml (bytes, "fuzz", 0, &stored, &error);

  g_assert (ok == (error == NULL));
  if (!ok)
    return FALSE;
  side->name = g_strdup ("fuzz");
  side->machine = stored.machine != NULL ? g_steal_pointer (&stored.machine) : g_strdup ("");
  side->id = stored.id;
  side->run = g_steal_pointer (&stored.run);
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const PdCompareOptions options = { .level = 100,
                                     .tolerance = 0,
                                     .wanted = { [PD_C_EXECUTION_TIME] = TRUE } };
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_auto (PdCompareSide) a = { 0 }, b = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);

  if (!read_side (bytes, &a) || !read_side (bytes, &b))
    return 0;
  g_autoptr (PdCompare) compare = pd_compare_new (&a, &b, &options);
  pd_compare_write_text (compare, 80, out);
  pd_compare_write_json (compare, out);
  pd_compare_write_csv (compare, out);
  g_assert (out->len > 0 && compare->n_beyond == 0);
  return 0;
}
