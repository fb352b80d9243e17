/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem() */
#include "base/pd-xml-scan.h"

#include <string.h>

/* Text between @begin and @end contains no elements. */
static const struct
{
  const char *begin;
  const char *end;
} skipped[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" } };

/* The end of the skipped construct at @at; @at if there is none. */
static const char *
skip (const char *at, const char *end)
{
  for (gsize i = 0; i < G_N_ELEMENTS (skipped); i++)
    {
      gsize n = strlen (skipped[i].begin);
      if ((gsize) (end - at) < n || memcmp (at, skipped[i].begin, n) != 0)
        continue;
      const char *found =
          memmem (at + n, (gsize) (end - at) - n, skipped[i].end, strlen (skipped[i].end));
      return found != NULL ? found + strlen (skipped[i].end) : end;
    }
  return at;
}

/* Behind the tag at @at, with the number of its attributes. */
static const char *
count (const char *at, const char *end, guint *n)
{
  *n = 0;
  while (at < end && *at != '>' && *n <= PD_XML_ATTRIBUTES_MAX)
    {
      *n += *at == '=';
      if (*at == '"' || *at == '\'')
        {
          const char *quote = memchr (at + 1, *at, (gsize) (end - at) - 1);
          at = quote != NULL ? quote : end - 1;
        }
      at++;
    }
  return at;
}

gboolean
pd_xml_scan_attributes (const char *data, gsize size, gint64 *line)
{
  const char *end = data + size, *at = data;

  while ((at = memchr (at, '<', (gsize) (end - at))) != NULL)
    {
      const char *begin = at;
      guint n = 0;
      at = skip (begin, end);
      if (at == begin)
        at = count (begin, end, &n);
      if (n <= PD_XML_ATTRIBUTES_MAX)
        continue;
      *line = 1;
      for (const char *p = data; p < begin; p++)
        *line += *p == '\n';
      return FALSE;
    }
  return TRUE;
}
