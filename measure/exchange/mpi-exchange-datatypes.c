/* Messages of data that do not lie together: a derived datatype, MPI_Pack(), or a loop.
 * SPDX-License-Identifier: MIT */
#include "measure/exchange/mpi-exchange.h"
#include "measure/stats/pd-pattern.h"

#include <string.h>

#define SEED_OF(rank) ((guint) (rank) + 1)

/* ---- layouts: bytes that count, one behind the other, and where they lie */

#define VECTOR_BLOCK  sizeof (gdouble) /* every second one is sent */
#define VECTOR_STRIDE (2 * sizeof (gdouble))

/* 16 of 24 bytes are sent. */
typedef struct
{
  gdouble a;
  gint32 b;
  gint32 left_out;
  gint32 c;
  gint32 also_left_out;
} Element;

#define ELEMENT_BYTES 16

typedef struct
{
  void (*make) (PdExchange *self);
  void (*gather) (char *packed, const char *spread, gsize bytes);
  void (*spread) (char *spread, const char *packed, gsize bytes);
} Layout;

static void
make_bytes (PdExchange *self)
{
  self->count = (int) self->bytes;
  MPI_Type_contiguous (1, MPI_BYTE, &self->type);
}

static void
copy_bytes (char *to, const char *from, gsize bytes)
{
  memcpy (to, from, bytes);
}

static void
make_vector (PdExchange *self)
{
  self->count = 1;
  MPI_Type_vector ((int) (self->bytes / VECTOR_BLOCK), 1, VECTOR_STRIDE / VECTOR_BLOCK, MPI_DOUBLE,
                   &self->type);
}

static void
gather_vector (char *packed, const char *spread, gsize bytes)
{
  gdouble *to = (gdouble *) packed;
  const gdouble *from = (const gdouble *) spread;

  for (gsize i = 0; i < bytes / VECTOR_BLOCK; i++)
    to[i] = from[2 * i];
}

static void
spread_vector (char *spread, const char *packed, gsize bytes)
{
  gdouble *to = (gdouble *) spread;
  const gdouble *from = (const gdouble *) packed;

  for (gsize i = 0; i < bytes / VECTOR_BLOCK; i++)
    to[2 * i] = from[i];
}

static void
make_struct (PdExchange *self)
{
  const int lengths[] = { 1, 1, 1 };
  const MPI_Aint places[] = { G_STRUCT_OFFSET (Element, a), G_STRUCT_OFFSET (Element, b),
                              G_STRUCT_OFFSET (Element, c) };
  const MPI_Datatype types[] = { MPI_DOUBLE, MPI_INT32_T, MPI_INT32_T };
  MPI_Datatype fields;

  self->count = (int) (self->bytes / ELEMENT_BYTES);
  MPI_Type_create_struct (3, lengths, places, types, &fields);
  MPI_Type_create_resized (fields, 0, sizeof (Element), &self->type);
  MPI_Type_free (&fields);
}

static void
gather_struct (char *packed, const char *spread, gsize bytes)
{
  const Element *from = (const Element *) spread;

  for (gsize i = 0; i < bytes / ELEMENT_BYTES; i++, packed += ELEMENT_BYTES)
    {
      memcpy (packed, &from[i].a, 8);
      memcpy (packed + 8, &from[i].b, 4);
      memcpy (packed + 12, &from[i].c, 4);
    }
}

static void
spread_struct (char *spread, const char *packed, gsize bytes)
{
  Element *to = (Element *) spread;

  for (gsize i = 0; i < bytes / ELEMENT_BYTES; i++, packed += ELEMENT_BYTES)
    {
      memcpy (&to[i].a, packed, 8);
      memcpy (&to[i].b, packed + 8, 4);
      memcpy (&to[i].c, packed + 12, 4);
    }
}

static const Layout contiguous = { make_bytes, copy_bytes, copy_bytes };
static const Layout vector = { make_vector, gather_vector, spread_vector };
static const Layout structs = { make_struct, gather_struct, spread_struct };

static const Layout *
layout_of (const PdExchange *self)
{
  return self->kind->how;
}

/* ---- data */

static void
begin_type (PdExchange *self)
{
  layout_of (self)->make (self);
  MPI_Type_commit (&self->type);
  MPI_Pack_size (self->count, self->type, self->comm, &self->packed_bytes);
}

static void
end_type (PdExchange *self)
{
  MPI_Type_free (&self->type);
}

static void
fill_layout (PdExchange *self)
{
  pd_pattern_fill (self->packed, self->bytes, SEED_OF (self->rank));
  layout_of (self)->spread (self->out, self->packed, self->bytes);
}

static gboolean
is_layout_right (PdExchange *self)
{
  layout_of (self)->gather (self->packed, self->in, self->bytes);
  return pd_pattern_find_wrong (self->packed, self->bytes, SEED_OF (self->peer)) == self->bytes;
}

/* ---- ways */

static void
send_derived (PdExchange *self)
{
  MPI_Send (self->out, self->count, self->type, self->peer, PD_EXCHANGE_TAG, self->comm);
}

static void
receive_derived (PdExchange *self)
{
  MPI_Recv (self->in, self->count, self->type, self->peer, PD_EXCHANGE_TAG, self->comm,
            MPI_STATUS_IGNORE);
}

static void
send_packed (PdExchange *self)
{
  int place = 0;

  MPI_Pack (self->out, self->count, self->type, self->packed, self->packed_bytes, &place,
            self->comm);
  MPI_Send (self->packed, place, MPI_PACKED, self->peer, PD_EXCHANGE_TAG, self->comm);
}

static void
receive_packed (PdExchange *self)
{
  int place = 0;

  MPI_Recv (self->packed, self->packed_bytes, MPI_PACKED, self->peer, PD_EXCHANGE_TAG, self->comm,
            MPI_STATUS_IGNORE);
  MPI_Unpack (self->packed, self->packed_bytes, &place, self->in, self->count, self->type,
              self->comm);
}

static void
send_copied (PdExchange *self)
{
  layout_of (self)->gather (self->packed, self->out, self->bytes);
  MPI_Send (self->packed, (int) self->bytes, MPI_BYTE, self->peer, PD_EXCHANGE_TAG, self->comm);
}

static void
receive_copied (PdExchange *self)
{
  MPI_Recv (self->packed, (int) self->bytes, MPI_BYTE, self->peer, PD_EXCHANGE_TAG, self->comm,
            MPI_STATUS_IGNORE);
  layout_of (self)->spread (self->in, self->packed, self->bytes);
}

/* There and back. */
#define RUN(name)                                                                                  \
  static void run_##name (PdExchange *self, gint64 n)                                              \
  {                                                                                                \
    for (gint64 i = 0; i < n; i++)                                                                 \
      if (pd_exchange_is_first (self))                                                             \
        {                                                                                          \
          send_##name (self);                                                                      \
          receive_##name (self);                                                                   \
        }                                                                                          \
      else                                                                                         \
        {                                                                                          \
          receive_##name (self);                                                                   \
          send_##name (self);                                                                      \
        }                                                                                          \
  }
RUN (derived)
RUN (packed)
RUN (copied)

#define ROW(name, layout, run)                                                                     \
  {                                                                                                \
    name, "datatypes", ELEMENT_BYTES, 0, PD_VARIES_NOTHING, 2, &layout, begin_type, fill_layout,   \
        run, is_layout_right, end_type                                                             \
  }

const PdExchangeKind pd_exchange_datatypes[7] = {
  ROW ("contiguous", contiguous, run_derived), ROW ("vector", vector, run_derived),
  ROW ("vector-pack", vector, run_packed),     ROW ("vector-copy", vector, run_copied),
  ROW ("struct", structs, run_derived),        ROW ("struct-pack", structs, run_packed),
  ROW ("struct-copy", structs, run_copied),
};
