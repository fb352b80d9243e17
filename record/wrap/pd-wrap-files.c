/* Files of MPI-IO: what calls open, close, read and write.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/wrap/pd-wrap-private.h"

#include "record/archive/pd-rec-define.h"
#include "record/life/pd-rec-handles.h"
#include "record/stream/pd-rec-stream.h"

#include <stdint.h>
#include <string.h>

#define MAX_NAME 1000 /* what the recorder keeps of it */

static PdRecHandles by_handle;   /* handle -> its number in the stream + 1 */
static PdRecHandles by_identity; /* likewise */
static PdRecHandles by_number;   /* number + 1 -> request of its split operation */

static int
find (MPI_File handle, uint32_t *file)
{
  uint32_t found = handle == MPI_FILE_NULL ? 0 : pd_rec_handles_get (&by_handle, PD_KEY (handle));

  *file = found - 1;
  return found != 0;
}

/* ---- names and handles */

/* FNV-1a: opens with the same name on the same communicator are one file. */
static uint64_t
identity_of (const char *name, uint64_t comm)
{
  uint64_t hash = 0xcbf29ce484222325u ^ comm;

  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char) *name) * 0x100000001b3u;
  return hash != 0 ? hash : 1;
}

/* Fortran pads names with blanks. */
static void
copy_name (const PdWrapCall *call, char *name)
{
  size_t n = strnlen (call->name, call->name_length < MAX_NAME ? call->name_length : MAX_NAME);

  while (call->is_fortran && n > 0 && call->name[n - 1] == ' ')
    n--;
  memcpy (name, call->name, n);
  name[n] = '\0';
}

static uint64_t
access_of (int amode)
{
  return ((amode & MPI_MODE_WRONLY) == 0 ? PD_REC_FILE_READS : 0u)
         | ((amode & MPI_MODE_RDONLY) == 0 ? PD_REC_FILE_WRITES : 0u)
         | ((amode & MPI_MODE_CREATE) != 0 ? PD_REC_FILE_CREATES : 0u)
         | ((amode & MPI_MODE_EXCL) != 0 ? PD_REC_FILE_IS_NEW : 0u);
}

void
pd_did_file_open (PdWrapCall *call)
{
  const PdWrapComm *comm = pd_comm_find (call->comm);
  char name[MAX_NAME + 1];
  uint64_t identity;
  uint32_t known;

  if (comm == NULL)
    return;
  copy_name (call, name);
  identity = identity_of (name, comm->identity);
  known = pd_rec_handles_get (&by_identity, (uintptr_t) identity);
  if (known == 0)
    {
      known = pd_rec_file_defined (comm->number, identity, name) + 1;
      pd_rec_handles_set (&by_identity, (uintptr_t) identity, known);
    }
  pd_rec_handles_set (&by_handle, PD_KEY (pd_value_file (call)), known);
  if (call->is_on)
    pd_rec_file (PD_REC_FILE_OPEN, known - 1, 0, access_of (call->tag), 0);
}

/* Forgotten before the call: another thread may get the same handle before it is back. */
void
pd_before_file_close (PdWrapCall *call)
{
  MPI_File handle = pd_value_file (call);
  uint32_t file;

  call->kept = find (handle, &file) ? file + 1 : 0;
  if (call->kept != 0)
    pd_rec_handles_set (&by_handle, PD_KEY (handle), 0);
}

void
pd_did_file_close (PdWrapCall *call)
{
  if (call->is_on && call->kept != 0)
    pd_rec_file (PD_REC_FILE_CLOSE, call->kept - 1, 0, 0, 0);
}

/* ---- reading and writing */

static void
transfer (PdWrapCall *call, int what)
{
  uint64_t asked = pd_value_bytes (call->count, call->type);
  MPI_Status own;
  uint32_t file;

  if (call->is_on && find (call->file, &file))
    pd_rec_file (what, file, 0, asked, pd_value_moved (pd_value_status (call, 0, &own), asked));
}

void
pd_did_file_read (PdWrapCall *call, int all)
{
  transfer (call, PD_REC_FILE_READ | all);
}

void
pd_did_file_write (PdWrapCall *call, int all)
{
  transfer (call, PD_REC_FILE_WRITE | all);
}

/* The number of a request for what the call began; 0: it is not recorded. */
static uint32_t
begin (PdWrapCall *call, int what, uint32_t *file, uint64_t *asked)
{
  uint32_t number;

  *asked = pd_value_bytes (call->count, call->type);
  if (!call->is_on || !find (call->file, file))
    return 0;
  number = pd_request_new_number ();
  pd_rec_file (what, *file, number, *asked, 0);
  return number;
}

static void
begin_request (PdWrapCall *call, int what)
{
  uint32_t file;
  uint64_t asked;
  uint32_t number = begin (call, what, &file, &asked);
  PdWrapRequest request = {
    .kind = PD_WRAP_REQUEST_FILE, .is_active = 1, .number = number, .comm = file, .bytes = asked
  };

  if (number != 0)
    pd_request_add (pd_value_request (call, 0), &request);
}

void
pd_did_file_iread (PdWrapCall *call, int all)
{
  begin_request (call, PD_REC_FILE_READ | all);
}

void
pd_did_file_iwrite (PdWrapCall *call, int all)
{
  begin_request (call, PD_REC_FILE_WRITE | all);
}

/* A file has one split collective operation at a time. */
static void
begin_split (PdWrapCall *call, int what)
{
  uint32_t file;
  uint64_t asked;
  uint32_t number = begin (call, what | PD_REC_FILE_ALL, &file, &asked);

  if (number != 0)
    pd_rec_handles_set (&by_number, (uintptr_t) file + 1, number);
}

void
pd_did_file_begin_read (PdWrapCall *call)
{
  begin_split (call, PD_REC_FILE_READ);
}

void
pd_did_file_begin_write (PdWrapCall *call)
{
  begin_split (call, PD_REC_FILE_WRITE);
}

void
pd_did_file_end (PdWrapCall *call)
{
  MPI_Status own;
  uint32_t file, number;

  if (!find (call->file, &file))
    return;
  number = pd_rec_handles_get (&by_number, (uintptr_t) file + 1);
  if (number == 0)
    return;
  pd_rec_handles_set (&by_number, (uintptr_t) file + 1, 0);
  pd_call_record (call);
  pd_rec_file (PD_REC_FILE_ENDED, file, number, 0,
               pd_value_moved (pd_value_status (call, 0, &own), 0));
}

/* ---- the rest */

static void
note (PdWrapCall *call, int what, uint64_t asked, uint64_t moved)
{
  uint32_t file;

  if (call->is_on && find (call->file, &file))
    pd_rec_file (what, file, 0, asked, moved);
}

void
pd_did_file_seek (PdWrapCall *call)
{
  note (call, PD_REC_FILE_SEEK, (uint64_t) call->offset,
        call->tag == MPI_SEEK_SET   ? PD_REC_FILE_FROM_START
        : call->tag == MPI_SEEK_CUR ? PD_REC_FILE_FROM_HERE
                                    : PD_REC_FILE_FROM_END);
}

void
pd_did_file_sync (PdWrapCall *call)
{
  note (call, PD_REC_FILE_SYNC | PD_REC_FILE_ALL, 0, 0);
}

void
pd_did_file (PdWrapCall *call)
{
  note (call, PD_REC_FILE_OTHER, 0, 0);
}
