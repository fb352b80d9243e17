/* The parts of the machine loader. Whatever a description looks like, it
 * becomes a tree of elements; overrides are made in the tree; then it is read. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_PARTS_H
#define PD_MACHINE_PARTS_H

#include "comsys/description/pd-element.h"
#include "comsys/machine/pd-machine-size.h"
#include "comsys/machine/pd-machine.h"

/* One element of a machine description. */
typedef struct
{
  const char *name;
  const char *const *texts;    /* attributes that are words or have words as values */
  const PdParam *params;       /* attributes that are numbers; ends with a NULL name */
  const char *const *children; /* names of elements */
  gboolean has_text;           /* may have character data */
} PdMachineElement;

/* The structures that the tables of the elements fill. */
typedef struct
{
  gint64 version;
  gint64 year;
} PdMachineAttributes;

typedef struct
{
  gint64 count;
  gint64 processors;
} PdNodesAttributes;

typedef struct
{
  gint64 index;
  gdouble speed;
} PdProcessorAttributes;

typedef struct
{
  gint64 line;
  gdouble speed;
} PdRegionAttributes;

typedef struct
{
  gdouble sigma;
} PdSpreadAttributes;

typedef struct
{
  PdTime overhead;
  gdouble per_byte;
  gint64 from;
} PdFunctionAttributes;

typedef struct
{
  PdTime time;
  PdPhaseLevel network;
  PdPhaseLevel memory;
} PdCollectivesAttributes;

typedef struct
{
  gint64 size;
  PdTime time;
} PdTableRowAttributes;

typedef struct
{
  gdouble transfer_r2;
  gdouble operation_r2;
} PdMeasuredAttributes;

#endif
