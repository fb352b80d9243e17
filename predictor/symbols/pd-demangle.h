/* Names of functions as they stand in the source.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DEMANGLE_H
#define PD_DEMANGLE_H

#include <glib.h>

/**
 * pd_demangle:
 * @symbol: the name that a linker knows
 * @is_fortran: whether it is known to be of Fortran
 *
 * C++ by the C++ library, where that is installed, without the list of parameters:
 * "grid::Solver::step". Procedures in modules of gfortran likewise: "grid::step" of
 * "__grid_MOD_step"; other procedures of Fortran lose the underscore at their end.
 *
 * Returns: (transfer full): the name in the source; @symbol if it is none of these.
 */
char *pd_demangle (const char *symbol, gboolean is_fortran);

#endif
