/* Call stacks. The return address of the call of MPI costs nothing; the frames above
 * it are unwound once and then remembered, under that address and the place of
 * the wrapper's frame: if all return addresses are still where they were found,
 * the stack is the same, because each frame begins where the one below says.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/wrap/pd-wrap-private.h"
#include "record/life/pd-rec-options.h"
#include "record/stream/pd-rec-stacks.h"

#include <link.h>
#include <stdlib.h>
#include <unwind.h>

#define N_REMEMBERED 2048 /* a power of two */

typedef struct
{
  void *const *place; /* where on the stack */
  void *address;      /* was found */
} Frame;

typedef struct
{
  void *return_address; /* NULL: free */
  void *frame;
  uint32_t stack;
  int n_frames; /* without the first one */
} Remembered;

static int depth;
static int n_frames_each;

/* Of the thread: */
static _Thread_local Remembered *remembered; /* of N_REMEMBERED */
static _Thread_local Frame *frames;          /* PD_REC_MAX_DEPTH or depth of each */

/* Code that belongs to MPI although it calls it: its layer for Fortran. */
static uintptr_t skip_from, skip_to;

void pmpi_init_ (void *) __attribute__ ((weak));

static int
is_skipped (const void *address)
{
  return (uintptr_t) address - skip_from < skip_to - skip_from;
}

/* The library that has the layer for Fortran, if there is one; a program that is
 * linked with it statically, and has no name here, is not skipped. */
static int
find_skipped (struct dl_phdr_info *info, size_t size, void *data)
{
  uintptr_t wanted = (uintptr_t) data;

  (void) size;
  if (info->dlpi_name[0] == '\0')
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      uintptr_t from = info->dlpi_addr + segment->p_vaddr;

      if (segment->p_type != PT_LOAD || wanted < from || wanted - from >= segment->p_memsz)
        continue;
      skip_from = from;
      skip_to = from + segment->p_memsz;
      return 1;
    }
  return 0;
}

void
pd_stack_begin (void)
{
  depth = pd_rec_stack_depth ();
  if (pmpi_init_ != NULL)
    dl_iterate_phdr (find_skipped, (void *) (uintptr_t) pmpi_init_);
  n_frames_each = depth + 8; /* some may be skipped */
  pd_stack_thread_begin ();
}

void
pd_stack_thread_begin (void)
{
  remembered = calloc (N_REMEMBERED, sizeof *remembered);
  frames = calloc ((size_t) N_REMEMBERED * (size_t) n_frames_each, sizeof *frames);
  if (remembered == NULL || frames == NULL)
    pd_stack_thread_end ();
}

/* The remembered frames are of this thread's stack. */
void
pd_stack_thread_end (void)
{
  free (remembered);
  free (frames);
  remembered = NULL;
  frames = NULL;
}

/* ---- unwinding */

typedef struct
{
  void *first; /* what comes before is the recorder's */
  int is_begun;
  void *addresses[PD_REC_MAX_DEPTH];
  int n;
  Frame *frames;
  int n_frames; /* -1: cannot be remembered */
} Walk;

static _Unwind_Reason_Code
on_frame (struct _Unwind_Context *context, void *data)
{
  Walk *walk = data;
  void *address = (void *) _Unwind_GetIP (context);
  void *const *place = (void *const *) _Unwind_GetCFA (context) - 1;

  if (!walk->is_begun && address != walk->first)
    return _URC_NO_REASON;
  if (address == NULL)
    return _URC_END_OF_STACK;
  if (walk->is_begun && walk->n_frames >= 0)
    {
      if (walk->n_frames == n_frames_each || *place != address)
        walk->n_frames = -1;
      else
        walk->frames[walk->n_frames++] = (Frame){ place, address };
    }
  walk->is_begun = 1;
  if (walk->n > 0 || !is_skipped (address))
    walk->addresses[walk->n++] = address;
  return walk->n == depth ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static uint32_t
unwind (Remembered *cell, Frame *of_cell, void *return_address, void *frame)
{
  Walk walk = { .first = return_address, .frames = of_cell };

  _Unwind_Backtrace (on_frame, &walk);
  if (walk.n == 0)
    walk.addresses[walk.n++] = return_address;
  *cell = (Remembered){ NULL, frame, pd_rec_stack (walk.addresses, walk.n), walk.n_frames };
  if (walk.n_frames >= 0)
    cell->return_address = return_address;
  return cell->stack;
}

static int
is_same (const Remembered *cell, const Frame *of_cell)
{
  for (int i = 0; i < cell->n_frames; i++)
    if (*of_cell[i].place != of_cell[i].address)
      return 0;
  return 1;
}

uint32_t
pd_stack_get (void *return_address, void *frame)
{
  int is_plain = depth == 1 && !is_skipped (return_address);
  void *key_frame = is_plain ? NULL : frame;
  uint64_t hash =
      ((uintptr_t) return_address * 31 + (uintptr_t) key_frame) * 0x9e3779b97f4a7c15u >> 40;
  uint32_t place = (uint32_t) hash & (N_REMEMBERED - 1);
  Remembered *cell;
  Frame *of_cell;

  if (depth == 0 || remembered == NULL)
    return 0;
  cell = &remembered[place];
  of_cell = &frames[(size_t) place * (size_t) n_frames_each];
  if (cell->return_address == return_address && cell->frame == key_frame && is_same (cell, of_cell))
    return cell->stack;
  if (!is_plain)
    return unwind (cell, of_cell, return_address, frame);
  *cell = (Remembered){ return_address, NULL, pd_rec_stack (&return_address, 1), 0 };
  return cell->stack;
}
