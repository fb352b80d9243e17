/* The definitions of all ranks. Communicators, windows and files have the same identity on
 * all their members; functions the same name, stacks the same places.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-merge.h"
#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-report.h"

#include <stdlib.h>
#include <string.h>

/* ---- maps */

enum
{
  COUNTS = 6
};

int
pd_rec_map_set (PdRecMap *map, uint32_t *words, uint32_t n)
{
  uint64_t sum = COUNTS;

  *map = (PdRecMap){ .words = words, .n_words = n };
  for (uint32_t i = 0; i < COUNTS && n >= COUNTS; i++)
    sum += words[i];
  if (n < COUNTS || sum != n)
    return -1;
  map->functions = words + COUNTS;
  map->stacks = map->functions + words[0];
  map->comms = map->stacks + words[1];
  map->windows = map->comms + words[2];
  map->files = map->windows + words[3];
  map->groups = map->files + words[4];
  return 0;
}

void
pd_rec_map_clear (PdRecMap *map)
{
  free (map->words);
  *map = (PdRecMap){ 0 };
}

/* Counts first: each number of the extract has a place in the map. */
static int
make_map (const char *name, const PdRecExtract *extract, PdRecMap *map, PdRecError *error)
{
  PdRecReader *reader = malloc (sizeof *reader);
  PdRecRecord record;
  uint32_t *words = NULL;
  uint64_t n = 0;
  int status = reader == NULL ? -1
                              : pd_rec_reader_init (reader, name, extract->words,
                                                    (uint64_t) extract->n * 8, error);

  while (status == 0 && (status = pd_rec_reader_next (reader, &record, error)) > 0)
    status = 0;
  if (status == 0)
    {
      n = (uint64_t) COUNTS + reader->n_functions + reader->n_stacks + reader->n_comms
          + reader->n_windows + reader->n_files + reader->n_groups;
      words = n < UINT32_MAX / 8 ? malloc (n * sizeof *words) : NULL;
    }
  if (words != NULL)
    {
      words[0] = reader->n_functions;
      words[1] = reader->n_stacks;
      words[2] = reader->n_comms;
      words[3] = reader->n_windows;
      words[4] = reader->n_files;
      words[5] = reader->n_groups;
      memset (words + COUNTS, 0xff, (n - COUNTS) * sizeof *words);
      pd_rec_map_set (map, words, (uint32_t) n);
    }
  if (reader != NULL)
    pd_rec_reader_clear (reader);
  free (reader);
  return words != NULL ? 0 : pd_rec_fail (error, "%s: out of memory", name);
}

/* ---- definitions */

typedef struct
{
  PdRecMerged *merged;
  PdRecMap *map;
  uint32_t *modules; /* string of each module of the rank */
  uint32_t modules_room;
  uint32_t n_modules;
} Merge;

typedef int (*Add) (Merge *self, const PdRecRecord *record);

/* A number, or out of memory. */
static int
set (uint32_t *place, uint32_t number)
{
  *place = number;
  return number == PD_REC_NONE ? -1 : 0;
}

static int
add_function (Merge *self, const PdRecRecord *r)
{
  return set (&self->map->functions[r->a],
              pd_rec_pool_add (&self->merged->functions, r->data, r->n_data));
}

static int
add_module (Merge *self, const PdRecRecord *r)
{
  if (pd_rec_make_room (&self->modules, &self->modules_room, self->n_modules, sizeof *self->modules)
      != 0)
    return -1;
  return set (&self->modules[self->n_modules++],
              pd_rec_pool_add (&self->merged->strings, r->data, r->n_data));
}

static int
add_stack (Merge *self, const PdRecRecord *r)
{
  uint32_t caller = PD_REC_LO (r->words[0]);
  PdRecContext context = { .offset = r->words[1],
                           .caller = caller == 0 ? PD_REC_NONE : self->map->stacks[caller - 1],
                           .module = self->modules[PD_REC_HI (r->words[0]) - 1] };

  return set (&self->map->stacks[r->b - 1],
              pd_rec_pool_add (&self->merged->contexts, &context, sizeof context));
}

static int
add_name (Merge *self, const PdRecRecord *r, uint32_t *name)
{
  return r->n_data == 0 ? 0
                        : set (name, pd_rec_pool_add (&self->merged->strings, r->data, r->n_data));
}

/* The first record of the members is used. */
static int
set_members (PdRecComm *comm, const PdRecRecord *r, uint32_t a, uint32_t b)
{
  if (r->n_data == 0 || comm->members != NULL)
    return 0;
  comm->members = malloc (r->n_data);
  if (comm->members == NULL)
    return -1;
  memcpy (comm->members, r->data, r->n_data);
  comm->n[0] = a;
  comm->n[1] = b;
  return 0;
}

/* The communicator of that identity; NULL: out of memory. */
static PdRecComm *
find_comm (PdRecMerged *merged, uint64_t identity, uint32_t *number)
{
  uint32_t n_before = merged->comm_identities.n;

  if (pd_rec_make_room (&merged->comms, &merged->comms_room, n_before, sizeof *merged->comms) != 0)
    return NULL;
  *number = pd_rec_pool_add (&merged->comm_identities, &identity, sizeof identity);
  if (*number == PD_REC_NONE)
    return NULL;
  if (*number == n_before)
    merged->comms[n_before] = (PdRecComm){ .parent = PD_REC_NONE, .name = PD_REC_NONE };
  return &merged->comms[*number];
}

static int
add_comm (Merge *self, const PdRecRecord *r)
{
  PdRecComm *comm = find_comm (self->merged, r->words[0], &self->map->comms[r->b]);
  uint32_t parent = PD_REC_LO (r->words[1]);

  if (comm == NULL)
    return -1;
  /* only what came before: a circle of parents cannot be written */
  if (parent != PD_REC_COMM_NONE && comm->parent == PD_REC_NONE
      && self->map->comms[parent] < self->map->comms[r->b])
    comm->parent = self->map->comms[parent];
  return set_members (comm, r, PD_REC_HI (r->words[1]), 0);
}

static int
add_inter (Merge *self, const PdRecRecord *r)
{
  PdRecComm *comm = find_comm (self->merged, r->words[0], &self->map->comms[r->b]);

  if (comm == NULL)
    return -1;
  comm->is_inter = 1;
  return set_members (comm, r, PD_REC_LO (r->words[1]), PD_REC_HI (r->words[1]));
}

static int
add_comm_name (Merge *self, const PdRecRecord *r)
{
  return add_name (self, r, &self->merged->comms[self->map->comms[r->b]].name);
}

/* The objects created on a communicator. */
static int
add_of_comm (Merge *self, const PdRecRecord *r, PdRecPool *identities, PdRecOfComm **all,
             uint32_t *room, uint32_t *number)
{
  uint32_t n_before = identities->n;

  if (pd_rec_make_room (all, room, n_before, sizeof **all) != 0
      || set (number, pd_rec_pool_add (identities, &r->words[0], sizeof r->words[0])) != 0)
    return -1;
  if (*number == n_before)
    (*all)[n_before] = (PdRecOfComm){ self->map->comms[r->words[1]], PD_REC_NONE };
  return add_name (self, r, &(*all)[*number].name);
}

static int
add_window (Merge *self, const PdRecRecord *r)
{
  PdRecMerged *merged = self->merged;

  return add_of_comm (self, r, &merged->window_identities, &merged->windows, &merged->windows_room,
                      &self->map->windows[r->b]);
}

static int
add_file (Merge *self, const PdRecRecord *r)
{
  PdRecMerged *merged = self->merged;

  return add_of_comm (self, r, &merged->file_identities, &merged->files, &merged->files_room,
                      &self->map->files[r->b]);
}

/* Groups of the same members are one: the number of these, then they. */
static int
add_group (Merge *self, const PdRecRecord *r)
{
  uint32_t n = (uint32_t) (r->n_data / sizeof (int32_t));
  int32_t *members = malloc (sizeof *members + r->n_data);
  int status;

  if (members == NULL)
    return -1;
  members[0] = (int32_t) n;
  memcpy (members + 1, r->n_data > 0 ? r->data : "", r->n_data);
  status = set (&self->map->groups[r->b],
                pd_rec_pool_add (&self->merged->groups, members, sizeof *members + r->n_data));
  free (members);
  return status;
}

static const Add adders[PD_REC_N_KINDS] = {
  [PD_REC_DEF_FUNCTION] = add_function, [PD_REC_DEF_MODULE] = add_module,
  [PD_REC_DEF_STACK] = add_stack,       [PD_REC_DEF_COMM] = add_comm,
  [PD_REC_DEF_INTER] = add_inter,       [PD_REC_DEF_COMM_NAME] = add_comm_name,
  [PD_REC_DEF_WINDOW] = add_window,     [PD_REC_DEF_FILE] = add_file,
  [PD_REC_DEF_GROUP] = add_group,
};

int
pd_rec_merged_add (PdRecMerged *self, const char *name, const PdRecExtract *extract, PdRecMap *map,
                   PdRecError *error)
{
  PdRecReader *reader;
  PdRecRecord record;
  Merge merge = { .merged = self, .map = map };
  int status;

  if (make_map (name, extract, map, error) != 0)
    return -1;
  map->comms[PD_REC_COMM_WORLD] = PD_REC_COMM_WORLD;
  map->comms[PD_REC_COMM_SELF] = PD_REC_COMM_SELF;
  reader = malloc (sizeof *reader);
  status = reader == NULL ? -1
                          : pd_rec_reader_init (reader, name, extract->words,
                                                (uint64_t) extract->n * 8, error);
  while (status == 0 && (status = pd_rec_reader_next (reader, &record, error)) > 0)
    status = adders[record.kind] != NULL ? adders[record.kind](&merge, &record) : 0;
  if (reader != NULL)
    pd_rec_reader_clear (reader);
  free (reader);
  free (merge.modules);
  if (status == 0)
    return 0;
  pd_rec_map_clear (map);
  return pd_rec_fail (error, "%s: out of memory", name);
}

int
pd_rec_merged_init (PdRecMerged *self, uint32_t size, PdRecError *error)
{
  /* no communicator of a stream has the identity 0 */
  static const struct
  {
    uint32_t always_zero[3];
  } world = { { 0, 0, 0 } };
  uint32_t number;

  *self = (PdRecMerged){ .size = size };
  if (find_comm (self, 0, &number) == NULL
      || pd_rec_make_room (&self->comms, &self->comms_room, 1, sizeof *self->comms) != 0
      || pd_rec_pool_add (&self->comm_identities, &world, sizeof world) != PD_REC_COMM_SELF)
    return pd_rec_fail (error, "out of memory");
  self->comms[PD_REC_COMM_SELF] = (PdRecComm){ .parent = PD_REC_NONE, .name = PD_REC_NONE };
  return 0;
}

void
pd_rec_merged_clear (PdRecMerged *self)
{
  for (uint32_t i = 0; i < self->comm_identities.n; i++)
    free (self->comms[i].members);
  free (self->comms);
  free (self->windows);
  free (self->files);
  pd_rec_pool_clear (&self->strings);
  pd_rec_pool_clear (&self->functions);
  pd_rec_pool_clear (&self->contexts);
  pd_rec_pool_clear (&self->comm_identities);
  pd_rec_pool_clear (&self->window_identities);
  pd_rec_pool_clear (&self->file_identities);
  pd_rec_pool_clear (&self->groups);
}
