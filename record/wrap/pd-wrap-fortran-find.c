/* Functions of Fortran that were not there when the recorder was loaded.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/wrap/pd-wrap-fortran-private.h"

#include <dlfcn.h>

static const char *const libraries[] = {
#ifdef OPEN_MPI
  "libmpi_mpifh.so.40",
  "libmpi_usempif08.so.40",
#else
  "libmpichfort.so.12",
  "libmpifort.so.12",
#endif
};

uintptr_t
pd_fortran_find (const char *name)
{
  void *found = dlsym (RTLD_DEFAULT, name);

  for (size_t i = 0; found == NULL && i < sizeof libraries / sizeof *libraries; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);

      if (library != NULL)
        found = dlsym (library, name);
    }
  return (uintptr_t) found;
}
