/* SPDX-License-Identifier: MIT */
#include "base/pd-text.h"

#include <string.h>

/* Characters that are escaped: first and last of each range. Not by their Unicode category, which
 * depends on the version of GLib; joiners inside words of some languages are not among them. */
static const struct
{
  gunichar first;
  gunichar last;
} hidden[] = {
  { 0x00, 0x1f },       /* controls */
  { 0x7f, 0x9f },       /* DEL, more controls */
  { 0xad, 0xad },       /* soft hyphen */
  { 0x61c, 0x61c },     /* Arabic mark of direction */
  { 0x180e, 0x180e },   /* without width */
  { 0x200b, 0x200b },   /* blank without width */
  { 0x200e, 0x200f },   /* marks of direction */
  { 0x2028, 0x202e },   /* ends of lines and paragraphs, embeddings and overrides of direction */
  { 0x2060, 0x206f },   /* without width, isolates of direction */
  { 0xfdd0, 0xfdef },   /* no characters */
  { 0xfeff, 0xfeff },   /* byte order mark */
  { 0xfff9, 0xfffb },   /* annotations */
  { 0xe0000, 0xe0fff }, /* tags */
};

gboolean
pd_text_is_hidden (gunichar c)
{
  if ((c & 0xfffe) == 0xfffe)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (hidden) && hidden[i].first <= c; i++)
    if (c <= hidden[i].last)
      return TRUE;
  return FALSE;
}

/* ASCII that is no control character. */
static inline gboolean
is_plain (char c)
{
  return (guchar) c >= 0x20 && (guchar) c < 0x7f;
}

static void
append_escaped (GString *out, gunichar c)
{
  static const char letters[] = "tnr", characters[] = "\t\n\r";
  const char *known = c > 0 && c < 0x80 ? strchr (characters, (int) c) : NULL;

  if (known != NULL)
    g_string_append_printf (out, "\\%c", letters[known - characters]);
  else
    g_string_append_printf (out, c < 0x80 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

char *
pd_text_show (const char *text)
{
  const char *p = text != NULL ? text : "";
  GString *out = g_string_sized_new (strlen (p));

  while (*p != '\0')
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      if (c >= 0x110000)
        {
          g_string_append_printf (out, "\\x%02x", (guchar) *p++);
          continue;
        }
      if (pd_text_is_hidden (c))
        append_escaped (out, c);
      else
        g_string_append_unichar (out, c);
      p = g_utf8_next_char (p);
    }
  return g_string_free (out, FALSE);
}

char *
pd_text_show_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = lines[i];
      lines[i] = pd_text_show (line);
    }
  return g_strjoinv ("\n", lines);
}

void
pd_text_append_json (GString *out, const char *text)
{
  gboolean is_valid = text == NULL || g_utf8_validate (text, -1, NULL);
  g_autofree char *made = is_valid ? NULL : g_utf8_make_valid (text, -1);
  const char *valid = made != NULL ? made : text != NULL ? text : "";

  g_string_append_c (out, '"');
  for (const char *p = valid, *from = p; *p != '\0'; p = g_utf8_next_char (p), from = p)
    {
      while (is_plain (*p) && *p != '"' && *p != '\\')
        p++;
      g_string_append_len (out, from, p - from);
      if (*p == '\0')
        break;
      gunichar c = g_utf8_get_char (p);
      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", c);
      else if (!pd_text_is_hidden (c))
        g_string_append_unichar (out, c);
      else if (c < 0x10000)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_printf (out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
    }
  g_string_append_c (out, '"');
}

void
pd_text_append_wrapped (GString *out, const char *first, guint indent, gsize width,
                        const char *text)
{
  g_autofree char *shown = pd_text_show (text);
  g_auto (GStrv) words = g_strsplit (shown, " ", -1);
  gsize used = 0;

  g_string_append (out, first);
  for (guint i = 0; words[i] != NULL; i++)
    {
      /* a number stays with its per cent sign */
      const char *sign = words[i + 1] != NULL && words[i + 1][0] == '%' ? words[i + 1] : NULL;
      gsize n = (gsize) (g_utf8_strlen (words[i], -1)
                         + (sign != NULL ? 1 + g_utf8_strlen (sign, -1) : 0));
      gboolean is_begin = used == 0;
      if (!is_begin && used + 1 + n > width)
        {
          g_string_append_printf (out, "\n%*s", (int) indent, "");
          used = 0;
          is_begin = TRUE;
        }
      g_string_append_printf (out, "%s%s%s%s", is_begin ? "" : " ", words[i],
                              sign != NULL ? " " : "", sign != NULL ? sign : "");
      used += n + (is_begin ? 0 : 1);
      i += sign != NULL ? 1 : 0;
    }
  g_string_append_c (out, '\n');
}

const char *
pd_text_find_forbidden (const char *text, gsize length)
{
  const char *end = text + length;

  for (const char *p = text; p < end; p = g_utf8_next_char (p))
    {
      if (is_plain (*p)) /* most */
        continue;
      gunichar c = g_utf8_get_char_validated (p, end - p);
      if (c >= 0x110000 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe
          || c == 0xffff)
        return p;
    }
  return NULL;
}
