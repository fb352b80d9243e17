/* Call stacks: a tree of return addresses, from the outermost caller to the MPI
 * call. Each is written to the stream once, as a place in a module, which is
 * the same in each process for any load address.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-stacks.h"
#include "record/stream/pd-rec-pieces-private.h"
#include "record/stream/pd-rec-stream.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PATH 4096

typedef struct
{
  uintptr_t address; /* 0 = a free place */
  uint32_t caller;
  uint32_t number;
} Frame;

typedef struct
{
  uintptr_t begin; /* of a segment with code */
  uintptr_t end;
  uintptr_t bias;
  uint32_t number;
} Module;

/* Of one stream, which has its own numbers. */
struct PdRecStacks
{
  Frame *frames; /* (array length=room): a table with open addressing */
  uint32_t room; /* a power of 2, or 0 */
  uint32_t n;
  Module *modules;
  uint32_t n_modules;
  uint32_t modules_room;
  uint32_t last_module; /* numbers of modules; several segments may be in one */
};

typedef struct PdRecStacks Stacks;

static inline uint32_t
place_of (const Stacks *self, uintptr_t address, uint32_t caller)
{
  uint64_t mixed = ((uint64_t) address ^ (uint64_t) caller << 40) * UINT64_C (0x9E3779B97F4A7C15);

  return (uint32_t) (mixed >> 32) & (self->room - 1);
}

/* ---- modules */

typedef struct
{
  uintptr_t address;
  Module found;
  char path[MAX_PATH];
} Search;

static int
on_object (struct dl_phdr_info *info, size_t size, void *data)
{
  Search *search = data;

  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      uintptr_t begin = (uintptr_t) (info->dlpi_addr + segment->p_vaddr);
      if (segment->p_type != PT_LOAD || search->address < begin
          || search->address - begin >= segment->p_memsz)
        continue;
      search->found =
          (Module){ begin, begin + (uintptr_t) segment->p_memsz, (uintptr_t) info->dlpi_addr, 0 };
      strncpy (search->path, info->dlpi_name, MAX_PATH - 1);
      return 1;
    }
  return 0;
}

/* The program itself has no name. */
static void
name_program (char *path)
{
  ssize_t n = readlink ("/proc/self/exe", path, MAX_PATH - 1);

  strcpy (n > 0 ? path + n : path, n > 0 ? "" : "program");
}

static const Module *
keep_module (Stacks *self, const Module *module)
{
  if (self->n_modules == self->modules_room)
    {
      uint32_t room = self->modules_room == 0 ? 16 : 2 * self->modules_room;
      Module *modules = realloc (self->modules, room * sizeof *modules);
      if (modules == NULL)
        return NULL;
      self->modules = modules;
      self->modules_room = room;
    }
  self->modules[self->n_modules] = *module;
  return &self->modules[self->n_modules++];
}

static const Module *
find_module (Stacks *self, uintptr_t address)
{
  Search search = { .address = address };

  for (uint32_t i = 0; i < self->n_modules; i++)
    if (address >= self->modules[i].begin && address < self->modules[i].end)
      return &self->modules[i];
  if (dl_iterate_phdr (on_object, &search) == 0)
    {
      /* made at run time: a module of its own, with addresses as they are */
      search.found = (Module){ address, address + 1, 0, 0 };
      strcpy (search.path, "unknown");
    }
  else if (search.path[0] == '\0')
    name_program (search.path);
  search.found.number = ++self->last_module;
  const Module *module = keep_module (self, &search.found);
  if (module != NULL)
    pd_rec_define (PD_REC_FIRST (PD_REC_DEF_MODULE, 1, 0, module->number), NULL, 0, search.path,
                   strlen (search.path));
  return module;
}

/* ---- frames */

static int
grow (Stacks *self)
{
  Frame *old = self->frames;
  uint32_t old_room = self->room;
  uint32_t room = old_room == 0 ? 1024 : 2 * old_room;
  Frame *frames = calloc (room, sizeof *frames);

  if (frames == NULL)
    return -1;
  self->frames = frames;
  self->room = room;
  for (uint32_t i = 0; i < old_room; i++)
    {
      uint32_t at = old[i].address == 0 ? 0 : place_of (self, old[i].address, old[i].caller);
      if (old[i].address == 0)
        continue;
      while (self->frames[at].address != 0)
        at = (at + 1) & (room - 1);
      self->frames[at] = old[i];
    }
  free (old);
  return 0;
}

static uint32_t
add_frame (Stacks *self, uintptr_t address, uint32_t caller)
{
  const Module *module;
  uint32_t at;

  if (2 * (self->n + 1) > self->room && grow (self) != 0)
    {
      pd_rec_stream_stop (PD_REC_NO_MEMORY);
      return 0;
    }
  module = find_module (self, address);
  if (module == NULL)
    {
      pd_rec_stream_stop (PD_REC_NO_MEMORY);
      return 0;
    }
  at = place_of (self, address, caller);
  while (self->frames[at].address != 0)
    at = (at + 1) & (self->room - 1);
  self->frames[at] = (Frame){ address, caller, ++self->n };
  pd_rec_define (PD_REC_FIRST (PD_REC_DEF_STACK, 3, 0, self->n),
                 (uint64_t[]){ PD_REC_PAIR (caller, module->number), address - module->bias }, 2,
                 NULL, 0);
  return self->n;
}

static inline uint32_t
find_frame (Stacks *self, uintptr_t address, uint32_t caller)
{
  if (address == 0)
    return caller;
  if (self->room == 0)
    return add_frame (self, address, caller);
  for (uint32_t at = place_of (self, address, caller);; at = (at + 1) & (self->room - 1))
    {
      const Frame *frame = &self->frames[at];
      if (frame->address == address && frame->caller == caller)
        return frame->number;
      if (frame->address == 0)
        return add_frame (self, address, caller);
    }
}

uint32_t
pd_rec_stack (void *const *addresses, int n)
{
  Stacks *self = pd_rec_own->stacks;
  uint32_t number = 0;

  if (pd_rec_state == PD_REC_CLOSED)
    return 0;
  if (self == NULL)
    self = pd_rec_own->stacks = calloc (1, sizeof *self);
  if (self == NULL)
    {
      pd_rec_stream_stop (PD_REC_NO_MEMORY);
      return 0;
    }
  for (int i = n - 1; i >= 0; i--)
    number = find_frame (self, (uintptr_t) addresses[i], number);
  return number;
}

void
pd_rec_stacks_clear (void)
{
  for (PdRecStream *stream = pd_rec_streams (); stream != NULL; stream = stream->next)
    {
      if (stream->stacks == NULL)
        continue;
      free (stream->stacks->frames);
      free (stream->stacks->modules);
      free (stream->stacks);
      stream->stacks = NULL;
    }
}
