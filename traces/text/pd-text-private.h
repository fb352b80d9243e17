/* Our own text form of programs: the words that its reader and its writer
 * share. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_PRIVATE_H
#define PD_TEXT_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"

#define PD_TEXT_MAGIC "predictor-trace"

/* The fields behind the word of an action: in this order, then KEY=VALUE. */
enum
{
  PD_TEXT_NAME = 1 << 0,     /* "text" */
  PD_TEXT_INTERVAL = 1 << 1, /* the number of one, or its "name" */
  PD_TEXT_PEER = 1 << 2,     /* a rank, any, none */
  PD_TEXT_BYTES = 1 << 3,    /* a size; of collective operations perhaps none */
  PD_TEXT_AMOUNT = 1 << 4,   /* computation: time or operations */
  PD_TEXT_TIME = 1 << 5,     /* a time, whatever computation is given in */
  PD_TEXT_LINE = 1 << 6,     /* a number */
  PD_TEXT_HANDLE = 1 << 7,   /* one request */
  PD_TEXT_HANDLES = 1 << 8,  /* any number of them */
  PD_TEXT_TAG = 1 << 9,      /* tag= */
  PD_TEXT_COMM = 1 << 10,    /* comm= */
  PD_TEXT_REQUEST = 1 << 11, /* request=: the one that it begins */
  PD_TEXT_FROM = 1 << 12,    /* from=, from-tag=, from-bytes= */
  PD_TEXT_MATCHED = 1 << 13, /* matched=RANK:TAG */
  PD_TEXT_COLL = 1 << 14,    /* root=, sent=, received=, send=, recv=, sources=, targets=, then= */
  PD_TEXT_WHICH = 1 << 15,   /* done=0,2 or none: positions among the requests */
  PD_TEXT_WHETHER = 1 << 16, /* done=yes or no */
  PD_TEXT_MODE = 1 << 17,    /* mode=shared or exclusive */
  PD_TEXT_NUMBER = 1 << 18,  /* a number, which is kept as the tag */
  PD_TEXT_BACK = 1 << 19,    /* received= */
  PD_TEXT_LOCAL = 1 << 20,   /* local=yes or no */
  PD_TEXT_SOURCES = 1 << 21, /* sources= */
  PD_TEXT_TARGETS = 1 << 22, /* targets= */
};

/* The word of an action, and the fields behind it. The word of a collective operation is its
 * pd_coll_name(), with "i" before it if it has a request. */
typedef struct
{
  const char *word; /* NULL: of collective operations */
  guint has;
} PdTextAction;

/* Units of time, the longest first. */
typedef struct
{
  const char *name;
  guint8 n_decimals; /* down to a picosecond */
} PdTextUnit;

#define PD_TEXT_N_UNITS 5

#endif
