/* The values behind the pointers of a call, from C or from Fortran.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include <stdlib.h>

/* Where Fortran has its special values: which variables it takes for them depends
 * on the library. They are there if the program is in Fortran. */
#ifdef OPEN_MPI
extern char mpi_fortran_in_place_[] __attribute__ ((weak));
extern char mpi_fortran_status_ignore_[] __attribute__ ((weak));
extern char mpi_fortran_statuses_ignore_[] __attribute__ ((weak));

static int
is_in_place (const void *buffer)
{
  return buffer != NULL && buffer == mpi_fortran_in_place_;
}

int
pd_fortran_ignores (const void *status)
{
  return status == MPI_F_STATUS_IGNORE || status == mpi_fortran_status_ignore_;
}

int
pd_fortran_ignores_all (const void *statuses)
{
  return statuses == MPI_F_STATUSES_IGNORE || statuses == mpi_fortran_statuses_ignore_;
}
#else
extern void *in_place_77 __asm__("MPIR_F_MPI_IN_PLACE") __attribute__ ((weak));
extern char in_place_08[] __asm__("MPIR_F08_MPI_IN_PLACE") __attribute__ ((weak));
extern char ignore_08[] __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__ ((weak));
extern char ignore_all_08[] __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ") __attribute__ ((weak));

static int
is_in_place (const void *buffer)
{
  return buffer != NULL
         && ((&in_place_77 != NULL && buffer == in_place_77) || buffer == in_place_08);
}

int
pd_fortran_ignores (const void *status)
{
  return status == MPI_F_STATUS_IGNORE || status == ignore_08;
}

int
pd_fortran_ignores_all (const void *statuses)
{
  return statuses == MPI_F_STATUSES_IGNORE || statuses == ignore_all_08;
}
#endif

void *
pd_fortran_buffer (int layer, void *buffer)
{
  if (layer == PD_FORTRAN_2008 && buffer != NULL)
    buffer = *(void **) buffer; /* a descriptor begins with the address */
  return is_in_place (buffer) ? MPI_IN_PLACE : buffer;
}

static _Thread_local MPI_Status *own_statuses;
static _Thread_local int n_own_statuses;

void
pd_values_thread_end (void)
{
  free (own_statuses);
  own_statuses = NULL;
  n_own_statuses = 0;
}

void *
pd_own_statuses (int n)
{
  if (n > n_own_statuses)
    {
      MPI_Status *more = realloc (own_statuses, (size_t) n * sizeof *more);

      if (more == NULL)
        return NULL;
      own_statuses = more;
      n_own_statuses = n;
    }
  return own_statuses;
}

MPI_Comm
pd_value_comm (const PdWrapCall *call)
{
  return call->is_fortran ? PMPI_Comm_f2c (*(const MPI_Fint *) call->newcomm)
                          : *(const MPI_Comm *) call->newcomm;
}

MPI_Win
pd_value_win (const PdWrapCall *call)
{
  return call->is_fortran ? PMPI_Win_f2c (*(const MPI_Fint *) call->newwin)
                          : *(const MPI_Win *) call->newwin;
}

MPI_File
pd_value_file (const PdWrapCall *call)
{
  return call->is_fortran ? PMPI_File_f2c (*(const MPI_Fint *) call->newfile)
                          : *(const MPI_File *) call->newfile;
}

MPI_Message
pd_value_message (const PdWrapCall *call)
{
  return call->is_fortran ? PMPI_Message_f2c (*(const MPI_Fint *) call->message)
                          : *(const MPI_Message *) call->message;
}

MPI_Request
pd_value_request (const PdWrapCall *call, int i)
{
  return call->is_fortran ? PMPI_Request_f2c (((const MPI_Fint *) call->request)[i])
                          : ((const MPI_Request *) call->request)[i];
}

MPI_Datatype
pd_value_type (const PdWrapCall *call, const void *types, int i)
{
  return call->is_fortran ? PMPI_Type_f2c (((const MPI_Fint *) types)[i])
                          : ((const MPI_Datatype *) types)[i];
}

MPI_Count
pd_value_count (const PdWrapCall *call, const void *counts, int i)
{
  return call->is_wide ? ((const MPI_Count *) counts)[i] : ((const int *) counts)[i];
}

const MPI_Status *
pd_value_status (const PdWrapCall *call, int i, MPI_Status *own)
{
  const PdFortranStatus *statuses = call->status;

  if (!call->is_fortran)
    return call->status == MPI_STATUSES_IGNORE ? NULL : (const MPI_Status *) call->status + i;
  if (pd_fortran_ignores_all (call->status))
    return NULL;
  PMPI_Status_f2c (statuses[i].words, own);
  return own;
}

uint64_t
pd_value_bytes (MPI_Count count, MPI_Datatype type)
{
  MPI_Count size = 0;

  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x (type, &size) != MPI_SUCCESS)
    return 0;
  return size > 0 ? (uint64_t) count * (uint64_t) size : 0;
}

uint64_t
pd_value_moved (const MPI_Status *status, uint64_t asked)
{
  MPI_Count bytes = MPI_UNDEFINED;

  if (status != NULL)
    PMPI_Get_elements_x (status, MPI_BYTE, &bytes);
  return bytes >= 0 ? (uint64_t) bytes : asked;
}
