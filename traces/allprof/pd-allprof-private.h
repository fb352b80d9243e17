/* Traces of liballprof, the tracer of LogGOPSim: one file per rank, a line per
 * call. Common to the parts of the reader. Not for other folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_PRIVATE_H
#define PD_ALLPROF_PRIVATE_H

#include "base/pd-error.h"
#include "base/pd-messages.h"
#include "traces/io/pd-line-input.h"
#include "traces/program/pd-program.h"

/* How the reader treats a function. */
typedef enum
{
  PD_ALLPROF_LOCAL, /* takes its time as computation does */
  PD_ALLPROF_INIT,
  PD_ALLPROF_FINALIZE,
  PD_ALLPROF_P2P,      /* action */
  PD_ALLPROF_STARTS,   /* action; starts a request */
  PD_ALLPROF_PREPARES, /* action; a persistent request */
  PD_ALLPROF_WAITS,    /* action; for requests */
  PD_ALLPROF_TESTS,    /* action; outcome not recorded */
  PD_ALLPROF_STARTALL, /* starts persistent requests */
  PD_ALLPROF_FREES,    /* action; a request */
  PD_ALLPROF_COLL,     /* coll */
  PD_ALLPROF_MAKES,    /* coll; makes a communicator */
  PD_ALLPROF_COMM_FREE,
  PD_ALLPROF_OTHER, /* not modelled */
} PdAllprofClass;

/* @arguments has one letter for each argument of the MPI function, in order:
 * x not used; n t count and datatype of the data sent, N T of the data received (two
 * parts: see V); p P peer, g G tag; c communicator; r root; k number of requests;
 * q their address; V U sizes per rank of the data sent, received; D displacements
 * (V, U and D are an address and a list); a address of a new or freed communicator;
 * l colour, y key. */
typedef struct
{
  const char *name;
  PdAllprofClass class;
  const char *arguments;
  PdActionKind action;
  PdCollKind coll;
} PdAllprofFunction;

/* A communicator as a line names it: a handle, the caller's rank and the size. Rank and
 * size distinguish communicators whose handle is used again. */
typedef struct
{
  guint64 handle;
  gint64 rank;
  gint64 size;
} PdAllprofComm;

/* One line. */
typedef struct
{
  const PdAllprofFunction *function; /* NULL: unknown */
  const char *name;
  gsize name_length;
  gboolean has_start;
  gboolean has_end;
  gint64 start; /* ps from the base */
  gint64 end;
  gint64 count[2]; /* [0] sent, [1] received */
  gint64 size[2];  /* bytes of a datatype */
  gint64 peer[2];
  gint64 tag[2];
  GArray *counts[2]; /* gint64, in elements */
  PdAllprofComm comm;
  gboolean has_comm;
  gint64 root;
  gint64 n_requests;
  guint64 request; /* address */
  guint64 address; /* of a communicator */
  gint64 colour;
  gint64 key;
} PdAllprofCall;

/* Reads the lines of one rank. */
typedef struct
{
  PdLineInput lines;
  const char *name;
  guint32 rank;
  gint64 base_us; /* what times are counted from: the end of MPI_Init */
  gboolean has_base;
  gboolean ended;  /* MPI_Finalize was there */
  gboolean is_cut; /* the last line is */
  PdAllprofCall call;
} PdAllprofLines;

/* ---- communicators */

/* An event of communicators in a rank's file, in its order. */
typedef enum
{
  PD_ALLPROF_EVENT_MAKE, /* a communicator is made of another */
  PD_ALLPROF_EVENT_USE,  /* a handle is used that is not known since then or a FREE */
  PD_ALLPROF_EVENT_FREE, /* a communicator is freed */
} PdAllprofEventKind;

typedef struct
{
  PdAllprofEventKind kind;
  PdCollKind coll;    /* MAKE */
  PdAllprofComm comm; /* USE; the parent of MAKE, after a USE of it */
  guint64 address;    /* MAKE, FREE */
  gint64 colour;
  gint64 key;
  guint32 index; /* USE: out: the communicator in the program */
} PdAllprofEvent;

/* The handles known to a rank, as both passes over its file see them. */
typedef GHashTable PdAllprofHandles;

/* ---- the outcomes of tests */

/* A test that must have been successful: the request at that address began anew,
 * or the program ended, with no wait in between. */
typedef struct
{
  guint64 test; /* number of the call among the tests of the file */
  guint64 address;
} PdAllprofOutcome;

/* ---- the first pass */

typedef struct
{
  GArray *events;   /* PdAllprofEvent */
  GArray *outcomes; /* PdAllprofOutcome, by test */
  gboolean mpich;   /* the numbers of MPI_ANY_SOURCE and MPI_PROC_NULL are MPICH's */
  guint8 stride;    /* bytes of a request, 4 or 8; 0 = not known */
} PdAllprofFacts;

#endif
