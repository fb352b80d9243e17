/* Events in traces of Dimemas: types whose values open blocks and whose zeros close them, one
 * within the other in all tasks.
 * SPDX-License-Identifier: MIT */
#include "traces/dim/pd-dim-survey-private.h"

/* Events of these types are the calls of MPI themselves. */
#define FIRST_MPI_TYPE 50000001
#define LAST_MPI_TYPE  50000100

PdDimEventType *
pd_dim_survey_find_type (PdDimSurvey *self, gint64 type)
{
  PdDimEventType *types = (PdDimEventType *) (gpointer) self->types->data;

  if (self->type < self->types->len && types[self->type].type == type)
    return &types[self->type];
  gpointer index = g_hash_table_lookup (self->type_index, &type);
  if (index == NULL)
    return NULL;
  self->type = GPOINTER_TO_UINT (index) - 1;
  return &types[self->type];
}

PdDimEventType *
pd_dim_survey_get_type (PdDimSurvey *self, gint64 type)
{
  PdDimEventType *known = pd_dim_survey_find_type (self, type);
  PdDimEventType new = { .type = type };

  if (known != NULL)
    return known;
  new.is_mpi = new.is_broken = type >= FIRST_MPI_TYPE &&type <= LAST_MPI_TYPE;
  g_array_append_val (self->types, new);
  pd_dim_add_index (self->type_index, type, self->types->len - 1);
  return pd_dim_survey_find_type (self, type);
}

static PdDimEventType *
type_at (PdDimSurvey *self, guint index)
{
  return &g_array_index (self->types, PdDimEventType, index);
}

/* Each task is judged alone, so that the order of tasks does not matter. */
static void
break_type (const PdDimSurvey *self, PdDimEventType *type)
{
  type->is_broken = TRUE;
  type->broken_in = self->task;
}

void
pd_dim_break_open (PdDimSurvey *self, guint n)
{
  for (guint i = n; i < self->open->len; i++)
    {
      PdDimEventType *type = type_at (self, g_array_index (self->open, guint, i));
      break_type (self, type);
      type->n_open--;
    }
  g_array_set_size (self->open, n);
}

static void
close_event (PdDimSurvey *self, PdDimEventType *type)
{
  guint index = self->type, n = self->open->len;

  if (type->n_open == 0)
    {
      break_type (self, type); /* nothing to close */
      return;
    }
  while (g_array_index (self->open, guint, n - 1) != index)
    n--;
  pd_dim_break_open (self, n);
  g_array_set_size (self->open, n - 1);
  type->n_open--;
  type->closes = TRUE;
}

/* "20:task:thr:type:value" */
void
pd_dim_look_at_event (PdDimSurvey *self, const char *p)
{
  gint64 values[4];
  guint n = G_N_ELEMENTS (values);

  if (pd_dim_parse_ints (p, values, &n) == NULL || n < 4)
    return;
  if (self->task != (guint32) values[0] + 1)
    pd_dim_break_open (self, 0);
  self->task = (guint32) values[0] + 1;
  PdDimEventType *type = pd_dim_survey_get_type (self, values[2]);
  if (type->is_mpi || type->broken_in == self->task)
    return;
  if (values[3] == 0)
    {
      close_event (self, type);
      return;
    }
  type->n_open++;
  g_array_append_val (self->open, self->type);
}
