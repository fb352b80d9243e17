/* The meaning of numbers in a Paraver trace. Types and values of MPI calls, and states, are
 * those of Extrae, so that its users' configurations fit.
 * SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "timeline/pd-paraver-private.h"
#include "timeline/pd-paraver-labels-private.h"

/* Values of other functions: this and the number of the region. */
#define OWN_VALUES 1000

static const struct
{
  guint32 type;
  const char *name;
} kinds[PD_PRV_N_KINDS] = {
  [PD_PRV_P2P] = { 50000001, "MPI Point-to-point" },
  [PD_PRV_COLLECTIVE] = { 50000002, "MPI Collective Comm" },
  [PD_PRV_OTHER] = { 50000003, "MPI Other" },
  [PD_PRV_ONE_SIDED] = { 50000004, "MPI One-sided" },
  [PD_PRV_OPERATION] = { 90000001, "Operation" },
  [PD_PRV_INTERVAL] = { 60000019, "Interval" },
};

static const struct
{
  guint32 number;
  PdPrvKind kind; /* of MPI functions in it */
} states[PD_TL_N_STATES] = {
  [PD_TL_COMPUTE] = { 1, PD_PRV_OTHER },
  [PD_TL_REPEATED] = { 1, PD_PRV_OTHER },
  [PD_TL_IO] = { 12, PD_PRV_OTHER },
  [PD_TL_SEND] = { 4, PD_PRV_P2P },
  [PD_TL_RECEIVE] = { 3, PD_PRV_P2P },
  [PD_TL_WAIT] = { 8, PD_PRV_P2P },
  [PD_TL_COLLECTIVE] = { 13, PD_PRV_COLLECTIVE },
  [PD_TL_ONE_SIDED] = { 25, PD_PRV_ONE_SIDED },
  [PD_TL_OTHER] = { 15, PD_PRV_OTHER },
};

static const struct
{
  guint32 number;
  const char *name;
  const char *colour;
} labels[] = {
  { PD_PRV_IDLE, "Idle", "{117,195,255}" },
  { 1, "Running", "{0,0,255}" },
  { 3, "Waiting a message", "{255,0,0}" },
  { 4, "Blocking Send", "{255,0,174}" },
  { 8, "Wait/WaitAll", "{235,0,0}" },
  { 12, "I/O", "{172,174,41}" },
  { 13, "Group Communication", "{255,144,26}" },
  { PD_PRV_DISABLED, "Tracing Disabled", "{2,255,177}" },
  { 15, "Others", "{192,224,0}" },
  { 25, "One-sided op", "{86,132,86}" },
};

static const struct
{
  const char *name;
  guint32 value;
} functions[] = {
  { "MPI_Send", 1 },       { "MPI_Recv", 2 },       { "MPI_Isend", 3 },
  { "MPI_Irecv", 4 },      { "MPI_Wait", 5 },       { "MPI_Waitall", 6 },
  { "MPI_Bcast", 7 },      { "MPI_Barrier", 8 },    { "MPI_Reduce", 9 },
  { "MPI_Allreduce", 10 }, { "MPI_Alltoall", 11 },  { "MPI_Alltoallv", 12 },
  { "MPI_Gather", 13 },    { "MPI_Gatherv", 14 },   { "MPI_Scatter", 15 },
  { "MPI_Scatterv", 16 },  { "MPI_Allgather", 17 }, { "MPI_Allgatherv", 18 },
  { "MPI_Scan", 30 },      { "MPI_Init", 31 },      { "MPI_Finalize", 32 },
  { "MPI_Bsend", 33 },     { "MPI_Ssend", 34 },     { "MPI_Rsend", 35 },
  { "MPI_Ibsend", 36 },    { "MPI_Issend", 37 },    { "MPI_Irsend", 38 },
  { "MPI_Test", 39 },      { "MPI_Sendrecv", 41 },  { "MPI_Waitany", 59 },
  { "MPI_Waitsome", 60 },  { "MPI_Probe", 61 },     { "MPI_Reduce_scatter", 80 },
};

guint32
pd_prv_type (PdPrvKind kind)
{
  return kinds[kind].type;
}

guint32
pd_prv_state (PdTimelineState state)
{
  return states[state].number;
}

guint32
pd_prv_interval (guint32 region)
{
  return 1 + region;
}

/* ---- who is where */

static void
place_ranks (PdPrvPlan *self)
{
  const PdTimeline *t = self->timeline;
  gsize n = MAX (1, (gsize) t->n_ranks);
  g_autofree guint64 *next = g_new0 (guint64, n);

  self->nodes = pd_timeline_nodes_new (t);
  self->cpus = g_new (guint64, n);
  self->n_cpus = g_new0 (guint64, n);
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    self->n_cpus[self->nodes->of_rank[rank]] += t->n_cpus;
  for (guint32 node = 1; node < self->nodes->n; node++)
    next[node] = next[node - 1] + self->n_cpus[node - 1];
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    {
      guint32 node = self->nodes->of_rank[rank];
      self->cpus[rank] = next[node];
      next[node] += t->n_cpus;
    }
}

/* ---- regions */

static guint32
value_of (const char *name, guint32 region)
{
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (name, functions[i].name))
      return functions[i].value;
  return OWN_VALUES + region;
}

/* A region is of the kind that its first slice says. */
static void
find_calls (PdPrvPlan *self)
{
  const PdTimeline *t = self->timeline;

  self->calls = g_new0 (PdPrvRegion, MAX (1, (gsize) t->n_regions));
  for (gsize i = 0; i < t->n_slices; i++)
    {
      const PdTimelineSlice *slice = &t->slices[i];
      if (slice->region == PD_TL_NONE || self->calls[slice->region].is_used)
        continue;
      PdPrvRegion *call = &self->calls[slice->region];
      const char *name = t->regions[slice->region];
      call->is_used = TRUE;
      call->kind = g_str_has_prefix (name, "MPI_") ? states[slice->state].kind : PD_PRV_OPERATION;
      call->value = value_of (name, slice->region);
    }
}

PdPrvPlan *
pd_prv_plan_new (const PdTimeline *timeline)
{
  PdPrvPlan *self = g_new0 (PdPrvPlan, 1);

  self->timeline = timeline;
  place_ranks (self);
  find_calls (self);
  return self;
}

void
pd_prv_plan_free (PdPrvPlan *self)
{
  pd_timeline_nodes_free (self->nodes);
  g_free (self->cpus);
  g_free (self->n_cpus);
  g_free (self->calls);
  g_free (self);
}

/* ---- files */

/* A label is a line. */
static void
write_value (PdOutput *out, guint32 value, const char *name)
{
  g_autofree char *label = pd_text_show (name);

  pd_output_printf (out, "%u    %s\n", value, label);
}

static void
write_kind (const PdPrvPlan *self, PdOutput *out, PdPrvKind kind, const gboolean *is_interval)
{
  const PdTimeline *t = self->timeline;

  pd_output_printf (out, "\nEVENT_TYPE\n9    %u    %s\nVALUES\n0    End\n", kinds[kind].type,
                    kinds[kind].name);
  for (guint32 region = 0; region < t->n_regions; region++)
    if (kind == PD_PRV_INTERVAL && is_interval[region])
      write_value (out, pd_prv_interval (region), t->regions[region]);
    else if (self->calls[region].is_used && self->calls[region].kind == kind)
      write_value (out, self->calls[region].value, t->regions[region]);
}

void
pd_prv_write_labels (const PdPrvPlan *self, PdOutput *out)
{
  const PdTimeline *t = self->timeline;
  g_autofree gboolean *is_interval = g_new0 (gboolean, MAX (1, (gsize) t->n_regions));

  for (gsize i = 0; i < t->n_marks; i++)
    is_interval[t->marks[i].region] = TRUE;
  pd_output_text (out, "DEFAULT_OPTIONS\n\nLEVEL               THREAD\n"
                       "UNITS               NANOSEC\nLOOK_BACK           100\n"
                       "SPEED               1\nFLAG_ICONS          ENABLED\n"
                       "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n"
                       "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\nSTATES\n");
  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    write_value (out, labels[i].number, labels[i].name);
  pd_output_text (out, "\nSTATES_COLOR\n");
  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    write_value (out, labels[i].number, labels[i].colour);
  for (PdPrvKind kind = 0; kind < PD_PRV_N_KINDS; kind++)
    write_kind (self, out, kind, is_interval);
}

void
pd_prv_write_names (const PdPrvPlan *self, PdOutput *out)
{
  const PdTimeline *t = self->timeline;
  guint64 n_cpus = (guint64) t->n_ranks * t->n_cpus;

  pd_output_printf (out, "LEVEL CPU SIZE %" G_GUINT64_FORMAT "\n", n_cpus);
  for (guint32 node = 0; node < self->nodes->n; node++)
    for (guint64 cpu = 0; cpu < self->n_cpus[node]; cpu++)
      pd_output_printf (out, "%" G_GUINT64_FORMAT ".node-%u\n", 1 + cpu,
                        self->nodes->numbers[node]);
  pd_output_printf (out, "\nLEVEL NODE SIZE %u\n", self->nodes->n);
  for (guint32 node = 0; node < self->nodes->n; node++)
    pd_output_printf (out, "node-%u\n", self->nodes->numbers[node]);
  pd_output_printf (out, "\nLEVEL THREAD SIZE %" G_GUINT64_FORMAT "\n", n_cpus);
  for (guint32 rank = 0; rank < t->n_ranks; rank++)
    for (guint32 cpu = 0; cpu < t->n_cpus; cpu++)
      if (t->n_cpus > 1)
        pd_output_printf (out, "rank %u CPU %u\n", rank, cpu);
      else
        pd_output_printf (out, "rank %u\n", rank);
}
