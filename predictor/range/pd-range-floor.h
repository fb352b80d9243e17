/* The floor of ranges: how far predictions of measured programs are off, besides what the other
 * sources explain. Written by tools/make-accuracy (table "coverage" of docs/accuracy.md, which
 * lists the programs); not edited by hand.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANGE_FLOOR_H
#define PD_RANGE_FLOOR_H

#define PD_RANGE_FLOOR_DVM 0.0963
#define PD_RANGE_FLOOR_MPI 0.0434

#endif
