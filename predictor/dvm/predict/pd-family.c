/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-family.h"

#include "base/pd-error.h"
#include "predictor/common/pd-errors.h"
#include "traces/dvm/pd-dvm-reader.h"

#include <string.h>

/* The header of a trace. */
typedef struct
{
  char *path;
  guint rank; /* of the virtual processor system; 0 = none */
  gint64 sizes[PD_MAX_GRID_RANK];
  gint64 n; /* processors it was recorded on */
} Member;

struct _PdFamily
{
  GArray *members;
};

static void
member_clear (gpointer data)
{
  g_free (((Member *) data)->path);
}

static gboolean
is_recorded_alike (const Member *a, const Member *b)
{
  return a->rank == b->rank
         && (a->rank > 0 ? memcmp (a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0
                         : a->n == b->n);
}

/* No two traces fit the same grid. */
static gboolean
check_member (const PdFamily *self, const Member *member, GError **error)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const Member *other = &g_array_index (self->members, Member, i);
      if (is_recorded_alike (other, member))
        return pd_fail (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_GRID,
                        "'%s' and '%s' were recorded for the same processors: expected one trace "
                        "for each number of processors",
                        other->path, member->path);
    }
  return TRUE;
}

static gboolean
add_member (PdFamily *self, const char *path, GError **error)
{
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (path, NULL, error);

  if (reader == NULL)
    return FALSE;
  const PdDvmHeader *header = pd_dvm_reader_get_header (reader);
  Member member = { .path = g_strdup (path), .n = MAX (header->proc_count, 1) };
  if (header->vproc_count > 0)
    member.rank = MIN (header->vps_rank, PD_MAX_GRID_RANK);
  for (guint d = 0; d < member.rank; d++)
    member.sizes[d] = header->vps_size[d];
  gboolean is_new = check_member (self, &member, error);
  g_array_append_val (self->members, member);
  return is_new;
}

PdFamily *
pd_family_new (const char *const *paths, GError **error)
{
  g_autoptr (PdFamily) self = g_new0 (PdFamily, 1);

  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (self->members, member_clear);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!add_member (self, paths[i], error))
      return NULL;
  return g_steal_pointer (&self);
}

void
pd_family_free (PdFamily *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->members);
  g_free (self);
}

/* Sizes that one of them lacks are 1. */
static gboolean
is_for (const Member *member, const PdCount *count)
{
  for (guint d = 0; d < MAX (member->rank, count->rank); d++)
    if ((d < member->rank ? member->sizes[d] : 1) != (d < count->rank ? count->sizes[d] : 1))
      return FALSE;
  return member->rank > 0;
}

/* 3: recorded for it; 2: on as many processors; 1: for any; 0: for others. */
static guint
get_fitness (const Member *member, const PdCount *count)
{
  if (is_for (member, count))
    return 3;
  return member->rank > 0 ? 0 : member->n == pd_count_get_n (count) ? 2 : 1;
}

const char *
pd_family_choose (const PdFamily *self, const PdCount *count, PdMessages *messages, GError **error)
{
  static const char *const reasons[] = { "", "none was recorded for that grid",
                                         "it was recorded on as many processors",
                                         "it was recorded for that grid" };
  g_autofree char *grid = pd_sizes_format (count->sizes, count->rank);
  const Member *best = NULL;
  guint most = 0;

  for (guint i = 0; i < self->members->len; i++)
    {
      const Member *member = &g_array_index (self->members, Member, i);
      guint fitness = get_fitness (member, count);
      if (fitness > most)
        {
          best = member;
          most = fitness;
        }
    }
  if (best == NULL)
    {
      g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_GRID,
                   "none of the traces fits the grid %s: all were recorded for other virtual "
                   "processor systems",
                   grid);
      return NULL;
    }
  pd_messages_add (messages, PD_SEVERITY_NOTE, "task-family", best->path, NULL,
                   "the grid %s is predicted from %s: %s", grid, best->path, reasons[most]);
  return best->path;
}

GArray *
pd_family_get_grids (const PdFamily *self, const char **any)
{
  GArray *grids = g_array_new (FALSE, FALSE, sizeof (PdCount));

  *any = NULL;
  for (guint i = 0; i < self->members->len; i++)
    {
      const Member *member = &g_array_index (self->members, Member, i);
      PdCount count = { .rank = member->rank };
      if (member->rank == 0 && *any == NULL)
        *any = member->path;
      if (member->rank == 0)
        continue;
      memcpy (count.sizes, member->sizes, member->rank * sizeof *count.sizes);
      g_array_append_val (grids, count);
    }
  return grids;
}
