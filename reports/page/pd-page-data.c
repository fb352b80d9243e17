/* The data of the charts of a page.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-data-private.h"
#include "base/pd-text.h"
#include "reports/page/pd-page-data.h"
#include "reports/emit/pd-format.h"

#include <math.h>
#include <string.h>

#define MAX_TEXT 300 /* characters of a name in a chart */

void
pd_page_data_open (PdPage *self, const char *key, char bracket)
{
  pd_json_open (&self->json, key, bracket);
}

void
pd_page_data_close (PdPage *self, char bracket)
{
  pd_json_close (&self->json, bracket);
}

gsize
pd_page_data_size (const char *text)
{
  gsize size = 12; /* quotes, comma and the like */

  for (gsize i = 0; i < 4 * MAX_TEXT && text[i] != '\0'; i++)
    size += strchr ("<>&\"\\", text[i]) != NULL ? 6 : (guchar) text[i] >= 0x80 ? 3 : 1;
  return size;
}

/* These would be markup. */
static void
append_character (GString *out, gunichar c)
{
  if (c == '<' || c == '>' || c == '&')
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_unichar (out, c);
}

/* JSON can do without all of these; done at once, so that the size is known. */
static void
protect (GString *out, gsize from)
{
  g_autofree char *written = g_strdup (out->str + from);

  g_string_truncate (out, from);
  for (const char *p = written; *p != '\0'; p = g_utf8_next_char (p))
    append_character (out, g_utf8_get_char (p));
}

void
pd_page_data_string (PdPage *self, const char *key, const char *text)
{
  gsize from = self->json.out->len;
  g_autofree char *clean = text != NULL ? pd_text_show (text) : NULL;

  if (clean != NULL && g_utf8_strlen (clean, -1) > MAX_TEXT)
    {
      g_autofree char *begin = g_utf8_substring (clean, 0, MAX_TEXT);
      g_free (clean);
      clean = g_strconcat (begin, "…", NULL);
    }
  pd_json_add_string (&self->json, key, clean);
  protect (self->json.out, from);
}

/* Nine digits are more than a screen can show. */
static void
append_number (GString *out, gdouble value)
{
  if (isfinite (value))
    pd_report_append_double (out, "%.9g", value);
  else
    g_string_append (out, "null");
}

void
pd_page_data_number (PdPage *self, const char *key, gdouble value)
{
  pd_json_begin (&self->json, key);
  append_number (self->json.out, value);
}

void
pd_page_data_numbers (PdPage *self, const char *key, const gdouble *values, gsize n)
{
  pd_json_begin (&self->json, key);
  g_string_append_c (self->json.out, '[');
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (self->json.out, ',');
      append_number (self->json.out, values[i]);
    }
  g_string_append_c (self->json.out, ']');
}

/* Keys may have markup, too. */
void
pd_page_write_data (const PdPage *self, GString *out)
{
  g_string_append (out, "<script type=\"application/json\" id=\"pd-data\">");
  for (const char *p = self->json.out->str; *p != '\0'; p++)
    if (*p == '<' || *p == '>' || *p == '&')
      g_string_append_printf (out, "\\u%04x", (guint) *p);
    else
      g_string_append_c (out, *p);
  g_string_append (out, "}</script>\n");
}
