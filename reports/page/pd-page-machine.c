/* The machine as boxes in boxes.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-machine-private.h"

#define DEPTH_BYTES 3

static void
add_texts (PdPage *self, const char *key, const GArray *parts, guint n, gsize offset)
{
  guint size = sizeof (PdReportMachinePart);

  pd_page_data_open (self, key, '[');
  for (guint i = 0; i < n; i++)
    pd_page_data_string (
        self, NULL, *(char *const *) (gconstpointer) (parts->data + (gsize) i * size + offset));
  pd_page_data_close (self, ']');
}

/* How many of the first fit into half of the room. */
static guint
count_parts (const PdPage *self, const GArray *parts)
{
  gsize room = pd_page_get_left (self) / 2, bytes = 0;
  guint n;

  for (n = 0; n < parts->len; n++)
    {
      const PdReportMachinePart *part = &g_array_index (parts, PdReportMachinePart, n);
      bytes += pd_page_data_size (part->title) + pd_page_data_size (part->detail) + DEPTH_BYTES;
      if (bytes > room)
        break;
    }
  return n;
}

static void
add_data (PdPage *self, const GArray *parts)
{
  guint n = count_parts (self, parts);
  g_autofree gdouble *depths = g_new (gdouble, n + 1);

  for (guint i = 0; i < n; i++)
    depths[i] = g_array_index (parts, PdReportMachinePart, i).depth;
  pd_page_data_open (self, "machine", '{');
  add_texts (self, "title", parts, n, G_STRUCT_OFFSET (PdReportMachinePart, title));
  add_texts (self, "detail", parts, n, G_STRUCT_OFFSET (PdReportMachinePart, detail));
  pd_page_data_numbers (self, "depth", depths, n);
  pd_page_data_close (self, '}');
}

void
pd_page_add_machine (PdPage *self, const PdReport *report)
{
  static const PdColumn columns[] = { { .page = "<Part" }, { .page = "<Parameters" } };
  PdColumns to = { .out = self->body, .tree = TRUE };
  const GArray *parts = report->machine_parts;
  guint i;

  if (parts == NULL || parts->len == 0)
    return;
  pd_page_begin_section (self, "machine", "Machine",
                         "Networks, their nodes, and the cost of a message on each.");
  pd_page_append_element (self->body, "p class=\"dim\"", report->machine_text);
  add_data (self, parts);
  pd_page_add_chart (self, "machine", "machine", "Networks, nodes and memories");
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (i = 0; i < parts->len && pd_page_has_room (self); i++)
    {
      const PdReportMachinePart *part = &g_array_index (parts, PdReportMachinePart, i);
      pd_columns_add_label (&to, part->title, part->depth);
      pd_columns_add_text (&to, part->detail);
    }
  pd_columns_end (&to);
  pd_page_add_cut (self, parts->len - i, "parts", "'predictor machine show' has all");
  pd_page_end_section (self);
}
