/* Files that are written and read: nobody waits for others. What the table of files has to say of
 * each is in files.txt.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD MPI_COMM_WORLD
#define MODE  (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE)

static MPI_File file;
static MPI_Request request;
static MPI_Status status;

static void
open_and_close (void (*work) (void))
{
  CALL (0, 2, MPI_File_open (WORLD, "planted.data", MODE, MPI_INFO_NULL, &file));
  work ();
  CALL (30, 31, MPI_File_close (&file));
}

static void
write_alone (void)
{
  int n = 1000 * (rank + 1);

  CALL (3, 5 + rank, MPI_File_write_at (file, 4000 * rank, out, n, MPI_CHAR, &status));
  CALL (10, 11, MPI_File_write_at (file, 4000 * rank, out, 125, MPI_INT, MPI_STATUS_IGNORE));
}

static void
file_write (void)
{
  open_and_close (write_alone);
}

static void
write_and_read_together (void)
{
  CALL (3, 7, MPI_File_write_at_all (file, 800 * rank, out, 100, MPI_DOUBLE, &status));
  CALL (7, 8, MPI_File_sync (file));
  CALL (10, 13, MPI_File_seek (file, 100 * rank, MPI_SEEK_SET));
  CALL (13 + rank, 20, MPI_File_read_all (file, in, 600, MPI_CHAR, &status));
}

static void
file_read_all (void)
{
  open_and_close (write_and_read_together);
}

static void
write_and_wait (void)
{
  CALL (3, 4, MPI_File_iwrite_at (file, 4000 * rank, out, 4000, MPI_CHAR, &request));
  CALL (9, 12, MPI_Wait (&request, &status));
}

static void
file_iwrite (void)
{
  open_and_close (write_and_wait);
}

const Pattern files[] = {
  { "file_write", file_write },
  { "file_read_all", file_read_all },
  { "file_iwrite", file_iwrite },
  { NULL, NULL },
};
