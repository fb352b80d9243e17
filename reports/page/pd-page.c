/* The frame of all pages.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-files-private.h"
#include "reports/page/pd-page-parts-private.h"
#include "reports/emit/pd-format.h"

#include <string.h>
#include <zlib.h>

#define GZIP      (15 + 16) /* zlib: the largest window, with a header */
#define MIN_CHART 1000      /* bytes: a shorter file replaces a library that could not be fetched */

/* Our scripts, in the order in which they need each other. */
static const char *const scripts[] = { "base.js",        "charts.js",       "charts-run.js",
                                       "charts-scan.js", "charts-study.js", "charts-time.js",
                                       "tree.js",        "sort.js",         "choice.js",
                                       "start.js" };

void
pd_page_append_element (GString *out, const char *tag, const char *text)
{
  g_string_append_printf (out, "<%s>", tag);
  pd_report_append_shown (out, text);
  g_string_append_printf (out, "</%.*s>\n", (int) strcspn (tag, " "), tag);
}

PdPage *
pd_page_new (const char *title)
{
  PdPage *self = g_new0 (PdPage, 1);

  self->title = g_strdup (title);
  self->head = g_string_new (NULL);
  self->tiles = g_string_new (NULL);
  self->contents = g_string_new (NULL);
  self->body = g_string_new (NULL);
  self->json = (PdJson){ .out = g_string_new (NULL), .first = TRUE };
  self->room_end = PD_PAGE_ROOM;
  pd_json_open (&self->json, NULL, '{');
  pd_page_data_open (self, "parts", '[');
  for (guint i = 0; i < PD_PAGE_N_PARTS; i++)
    pd_page_data_string (self, NULL, pd_page_parts[i].name);
  pd_page_data_close (self, ']');
  return self;
}

void
pd_page_free (PdPage *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_string_free (self->head, TRUE);
  g_string_free (self->tiles, TRUE);
  g_string_free (self->contents, TRUE);
  g_string_free (self->body, TRUE);
  g_string_free (self->json.out, TRUE);
  g_free (self);
}

GString *
pd_page_get_head (PdPage *self)
{
  return self->head;
}

GString *
pd_page_get_body (PdPage *self)
{
  return self->body;
}

char *
pd_page_key (const char *prefix, const char *what)
{
  return g_strconcat (prefix, "-", what, NULL);
}

/* ---- sections */

void
pd_page_add_tile (PdPage *self, const char *label, const char *value, const char *note)
{
  g_string_append (self->tiles, "<div class=\"tile\">");
  pd_page_append_element (self->tiles, "dt", label);
  g_string_append (self->tiles, "<dd>");
  pd_page_append_element (self->tiles, "b", value);
  if (note != NULL)
    pd_page_append_element (self->tiles, "span", note);
  g_string_append (self->tiles, "</dd></div>\n");
}

static void
add_contents (PdPage *self, const char *id, const char *heading)
{
  g_string_append_printf (self->contents, "<li><a href=\"#%s\">", id);
  pd_report_append_shown (self->contents, heading);
  g_string_append (self->contents, "</a></li>\n");
}

static void
push_section (PdPage *self, gboolean is_folded)
{
  self->folded = self->folded << 1 | (is_folded ? 1u : 0u);
  self->depth++;
}

static void
append_lead (PdPage *self, const char *lead)
{
  if (lead != NULL)
    pd_page_append_element (self->body, "p class=\"lead\"", lead);
}

void
pd_page_begin_section (PdPage *self, const char *id, const char *heading, const char *lead)
{
  g_string_append_printf (self->body, "<section id=\"%s\">\n", id);
  pd_page_append_element (self->body, "h2", heading);
  append_lead (self, lead);
  add_contents (self, id, heading);
  push_section (self, FALSE);
}

void
pd_page_begin_folded (PdPage *self, const char *id, const char *heading, gboolean is_open)
{
  g_string_append_printf (self->body, "<section id=\"%s\">\n<details class=\"run\"%s><summary>", id,
                          is_open ? " open=\"open\"" : "");
  pd_page_append_element (self->body, "h2", heading);
  g_string_append (self->body, "</summary>\n");
  add_contents (self, id, heading);
  push_section (self, TRUE);
}

void
pd_page_end_section (PdPage *self)
{
  g_return_if_fail (self->depth > 0);

  g_string_append (self->body, self->folded & 1 ? "</details>\n</section>\n" : "</section>\n");
  self->folded >>= 1;
  self->depth--;
}

void
pd_page_add_heading (PdPage *self, const char *id, const char *heading, const char *lead)
{
  g_autofree char *tag = g_strdup_printf ("h3 id=\"%s\"", id);

  pd_page_append_element (self->body, tag, heading);
  append_lead (self, lead);
}

void
pd_page_begin_details (PdPage *self, const char *summary)
{
  g_string_append (self->body, "<details>");
  pd_page_append_element (self->body, "summary", summary);
}

void
pd_page_end_details (PdPage *self)
{
  g_string_append (self->body, "</details>\n");
}

void
pd_page_add_chart (PdPage *self, const char *kind, const char *key, const char *caption)
{
  g_string_append_printf (
      self->body, "<figure class=\"pd-chart\" id=\"%s-%s\" data-chart=\"%s\" data-key=\"%s\">", key,
      kind, kind, key);
  pd_page_append_element (self->body, "figcaption", caption);
  g_string_append (self->body, "</figure>\n");
}

/* ---- room */

static gsize
get_size (const PdPage *self)
{
  return self->head->len + self->tiles->len + self->contents->len + self->body->len
         + self->json.out->len;
}

gsize
pd_page_get_room (const PdPage *self)
{
  gsize size = get_size (self);

  return size < PD_PAGE_ROOM ? PD_PAGE_ROOM - size : 0;
}

void
pd_page_set_room (PdPage *self, gsize bytes)
{
  self->room_end = get_size (self) + MIN (bytes, pd_page_get_room (self));
}

gsize
pd_page_get_left (const PdPage *self)
{
  gsize size = get_size (self);

  return size < self->room_end ? self->room_end - size : 0;
}

gboolean
pd_page_has_room (const PdPage *self)
{
  return get_size (self) < self->room_end;
}

void
pd_page_add_cut (PdPage *self, gsize n, const char *what, const char *where)
{
  if (n > 0)
    g_string_append_printf (self->body,
                            "<p class=\"cut\">%" G_GSIZE_FORMAT
                            " more %s are left out here, to keep the page small; %s.</p>\n",
                            n, what, where);
}

/* ---- files */

static const PdPageFile *in_use = pd_page_files;

void
pd_page_use_files (const PdPageFile *files)
{
  in_use = files != NULL ? files : pd_page_files;
}

static const PdPageFile *
find_file (const char *name)
{
  const PdPageFile *file = in_use;

  while (file->name != NULL && strcmp (file->name, name) != 0)
    file++;
  return file;
}

/* Nothing of one that is not there, or empty. */
static void
append_file (GString *out, const char *name)
{
  const PdPageFile *file = find_file (name);
  gsize begin = out->len;
  z_stream stream = { 0 };

  if (file->size == 0)
    return;
  g_string_set_size (out, begin + file->size);
  stream.next_in = (Bytef *) file->data;
  stream.avail_in = (uInt) file->n_data;
  stream.next_out = (Bytef *) out->str + begin;
  stream.avail_out = (uInt) file->size;
  if (inflateInit2 (&stream, GZIP) != Z_OK || inflate (&stream, Z_FINISH) != Z_STREAM_END)
    g_error ("out of memory to decompress '%s'", name);
  inflateEnd (&stream);
}

gboolean
pd_page_has_charts (void)
{
  return find_file ("echarts.min.js")->size >= MIN_CHART;
}

/* ---- the whole */

/* Nothing of the network is asked for: a browser even holds to it. */
static void
write_head (const PdPage *self, GString *out)
{
  g_string_append (
      out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
           "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:\"/>\n"
           "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
           "<link rel=\"icon\" href=\"data:,\"/>\n");
  pd_page_append_element (out, "title", self->title);
  g_string_append (out, "<style>\n");
  append_file (out, "page.css");
  g_string_append (out, "</style>\n</head>\n<body>\n");
}

static void
write_main (const PdPage *self, gboolean has_charts, GString *out)
{
  g_string_append (out, "<header class=\"top\">\n");
  pd_page_append_element (out, "h1", self->title);
  g_string_append_len (out, self->head->str, (gssize) self->head->len);
  if (self->tiles->len > 0)
    g_string_append_printf (out, "<dl class=\"tiles\">\n%s</dl>\n", self->tiles->str);
  g_string_append (out, "</header>\n");
  g_string_append_printf (
      out,
      "<div class=\"columns\">\n<nav aria-label=\"Contents\"><ul>\n%s</ul></nav>"
      "\n<main>\n",
      self->contents->str);
  if (!has_charts)
    g_string_append (out, "<p class=\"cut\" id=\"no-charts\">This page has no charts: the program "
                          "was built without the chart library. The tables say the same.</p>\n");
  g_string_append_len (out, self->body->str, (gssize) self->body->len);
  g_string_append (out, "</main>\n</div>\n");
}

static void
begin_script (GString *out)
{
  g_string_append (out, "<script>//<![CDATA[\n");
}

static void
end_script (GString *out)
{
  g_string_append (out, "\n//]]></script>\n");
}

void
pd_page_write (const PdPage *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL && self->depth == 0);

  gboolean has_charts = pd_page_has_charts ();
  write_head (self, out);
  write_main (self, has_charts, out);
  pd_page_write_data (self, out);
  if (has_charts)
    {
      g_string_append (out, "<!-- Charts: Apache ECharts, Apache License 2.0, "
                            "https://www.apache.org/licenses/LICENSE-2.0; Copyright 2017-2026 The "
                            "Apache Software Foundation; with zrender, BSD 3-Clause; changed: "
                            "its two places with the end of a CDATA section are written "
                            "differently -->\n");
      begin_script (out);
      append_file (out, "echarts.min.js");
      end_script (out);
    }
  begin_script (out);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    append_file (out, scripts[i]);
  end_script (out);
  g_string_append (out, "</body>\n</html>\n");
}
