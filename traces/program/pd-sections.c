/* SPDX-License-Identifier: MIT */
#include "traces/program/pd-sections.h"

#include "traces/io/pd-trace-error.h"

#include <string.h>

typedef struct
{
  char magic[8];
  guint32 order; /* of bytes */
  guint32 version;
  guint32 tables[4];
  guint8 key[PD_SECTIONS_KEY_SIZE];
  guint64 n[PD_SECTIONS_MAX];
  guint64 sum; /* of the sections */
  guint64 zero;
} Header;

G_STATIC_ASSERT (sizeof (Header) % PD_SECTIONS_ALIGN == 0);

/* ---- sums: for damage, not for malice, which the checks are for */

typedef struct
{
  guint64 lanes[4];
} Sum;

static void
sum_add (Sum *self, gconstpointer data, gsize size)
{
  const guint8 *p = data;
  guint64 words[4];

  for (; size >= sizeof words; p += sizeof words, size -= sizeof words)
    {
      memcpy (words, p, sizeof words);
      for (int i = 0; i < 4; i++)
        self->lanes[i] = (self->lanes[i] ^ words[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                         ^ self->lanes[i] >> 29;
    }
  memset (words, 0, sizeof words);
  if (size > 0)
    memcpy (words, p, size);
  for (int i = 0; i < 4; i++)
    self->lanes[i] = (self->lanes[i] ^ words[i]) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd) + size;
}

static guint64
compute_sum (const PdSections *self, const PdSectionsKind *kind)
{
  Sum lanes = { { 1, 2, 3, 4 } };
  guint64 sum = 0;

  for (guint i = 0; i < kind->n; i++)
    sum_add (&lanes, self->data[i], self->n[i] * kind->sizes[i]);
  for (int i = 0; i < 4; i++)
    sum = (sum ^ lanes.lanes[i] ^ lanes.lanes[i] >> 32) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return sum;
}

/* ---- writing */

static Header
make_header (const PdSectionsKind *kind)
{
  Header header = { .order = 0x01020304, .version = kind->version };

  memcpy (header.magic, kind->magic, sizeof header.magic);
  memcpy (header.tables, kind->tables, sizeof header.tables);
  return header;
}

gboolean
pd_sections_write (const PdSections *self, const PdSectionsKind *kind, const guint8 *key,
                   PdOutput *out, GError **error)
{
  static const char zeros[PD_SECTIONS_ALIGN];
  Header header = make_header (kind);

  memcpy (header.key, key, sizeof header.key);
  memcpy (header.n, self->n, kind->n * sizeof *header.n);
  header.sum = compute_sum (self, kind);
  pd_output_add (out, &header, sizeof header);
  for (guint i = 0; i < kind->n; i++)
    {
      gsize size = self->n[i] * kind->sizes[i];
      pd_output_add (out, self->data[i], size);
      pd_output_add (out, zeros, -size % PD_SECTIONS_ALIGN);
    }
  return pd_output_close (out, error);
}

/* ---- finding */

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "%s", why);
  return FALSE;
}

static gboolean
is_zero (gconstpointer data, gsize size)
{
  const guint8 *p = data;

  for (gsize i = 0; i < size; i++)
    if (p[i] != 0)
      return FALSE;
  return TRUE;
}

gboolean
pd_sections_find (const guint8 *data, gsize size, const PdSectionsKind *kind, const guint8 *key,
                  PdSections *self, GError **error)
{
  Header header, wanted = make_header (kind);
  gsize pos = sizeof header;

  memset (self, 0, sizeof *self);
  if (size < pos)
    return refuse ("the file is cut", error);
  memcpy (&header, data, sizeof header);
  if (memcmp (&header, &wanted, G_STRUCT_OFFSET (Header, key)) != 0)
    return refuse ("not a file of this kind and version", error);
  if (key != NULL && memcmp (header.key, key, sizeof header.key) != 0)
    return refuse ("a file made from something else", error);
  if (!is_zero (header.n + kind->n, (PD_SECTIONS_MAX - kind->n) * 8) || header.zero != 0)
    return refuse ("more sections than there are", error);
  for (guint i = 0; i < kind->n; i++)
    {
      guint64 n = header.n[i];
      if (n > (size - pos) / kind->sizes[i])
        return refuse ("the file is cut", error);
      self->data[i] = data + pos;
      self->n[i] = n;
      pos += n * kind->sizes[i];
      if (size - pos < -pos % PD_SECTIONS_ALIGN)
        return refuse ("the file is cut", error);
      if (!is_zero (data + pos, -pos % PD_SECTIONS_ALIGN))
        return refuse ("something is between the sections", error);
      pos += -pos % PD_SECTIONS_ALIGN;
    }
  return pos == size || refuse ("the file is longer than it should be", error);
}

gboolean
pd_sections_are_whole (const PdSections *self, const PdSectionsKind *kind, const guint8 *data,
                       GError **error)
{
  guint64 sum;

  memcpy (&sum, data + G_STRUCT_OFFSET (Header, sum), sizeof sum);
  return compute_sum (self, kind) == sum || refuse ("the file is damaged", error);
}

void
pd_sections_seal (guint8 *data, gsize size, const PdSectionsKind *kind)
{
  PdSections self;

  if (!pd_sections_find (data, size, kind, NULL, &self, NULL))
    return;
  guint64 sum = compute_sum (&self, kind);
  memcpy (data + G_STRUCT_OFFSET (Header, sum), &sum, sizeof sum);
}

GBytes *
pd_sections_align (GBytes *bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  return (guintptr) data % PD_SECTIONS_ALIGN == 0 ? g_bytes_ref (bytes) : g_bytes_new (data, size);
}
