/* The description of a hypothetical or measured machine, read from XML, from
 * an inline text, or imported. Immutable once loaded.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_H
#define PD_MACHINE_H

#include "base/pd-messages.h"
#include "comsys/net/pd-network.h"
#include "comsys/machine/pd-points.h"

G_BEGIN_DECLS

#define PD_MACHINE_ERROR (pd_machine_error_quark ())
typedef enum
{
  PD_MACHINE_ERROR_NOT_FOUND, /* no such file, nor a machine of that name */
  PD_MACHINE_ERROR_FORMAT,    /* not XML, not of a known form */
  PD_MACHINE_ERROR_SCHEMA,    /* unknown element or attribute, missing one */
  PD_MACHINE_ERROR_VALUE,     /* a value without unit, out of range, unknown word */
  PD_MACHINE_ERROR_PATH,      /* --set names a path that does not exist */
  PD_MACHINE_ERROR_SIZE,      /* too few processors */
  PD_MACHINE_ERROR_MAP,       /* a placement that cannot be */
} PdMachineError;

/**
 * pd_machine_error_quark:
 * Returns: the domain of #PdMachineError.
 */
GQuark pd_machine_error_quark (void);

/* How messages are sent on one network. */
typedef struct
{
  gint64 eager;          /* largest size in bytes sent eagerly; -1 = none, not even 0 bytes */
  gint64 detached;       /* largest size above that whose sender never blocks although its transfer
                          * starts only when both sides are there; -1 = none */
  gint64 envelope;       /* bytes that travel with every message, data and control alike; they
                          * are neither reported nor do they choose the protocol */
  gboolean free_control; /* rendezvous control messages cost nothing */
} PdProtocol;

typedef struct _PdMachineNode PdMachineNode;
typedef struct _PdMachineNetwork PdMachineNetwork;

/* One network and what hangs on it, in document order. */
struct _PdMachineNetwork
{
#ifdef __cplusplus
  const PdNetworkClass *network_class; /* whose other name is a word of C++ */
#else
  const PdNetworkClass *class;
#endif
  char *name;      /* (nullable) */
  gpointer config; /* class->config_size bytes, filled by class->params */
  PdProtocol protocol;
  GPtrArray *children; /* PdMachineNode*, owned; empty for a memory */
};

/* A group of equal nodes, or a nested network with @count copies of it. */
struct _PdMachineNode
{
  guint32 count;             /* how many of these; >= 1 */
  PdMachineNetwork *network; /* (nullable): nested network; then the rest is unused */
  guint32 processors;        /* per node, >= 1 */
  gdouble speed;             /* of each processor, relative to the recording machine, > 0 */
  PdMachineNetwork *memory;  /* (nullable): how two processors of one node exchange;
                              * NULL: through the network they hang on */
  GArray *speeds;            /* (nullable): gdouble, count * processors: single overrides */
};

/* Software costs of MPI calls, and of the library above that makes messages of
 * the elements of arrays. */
typedef struct
{
  PdTime send_overhead;
  PdTime recv_overhead;
  PdTime wait_overhead;
  gdouble copy_per_byte;      /* ps per byte */
  gdouble reduction_per_byte; /* gamma, ps per byte */
  /* at speed 1: */
  gdouble pack_per_byte;    /* between an array and the buffer of a message, ps per byte */
  PdTime pack_per_run;      /* … besides, for each run of neighbouring elements */
  gdouble touch_per_byte;   /* first touch of fresh memory, ps per byte */
  PdTime exchange_overhead; /* of each processor for each exchange it takes part in */
  /* of traces that the library recorded on such a processor: */
  PdTime recorder_overhead;   /* of each event that the recorder notes */
  PdTime statistics_overhead; /* of each call, where statistics are gathered */
} PdSoftware;

/* The work of the library above on messages, on a processor of speed 1: the parameters of
 * #PdSoftware from @pack_per_byte to @exchange_overhead. */
typedef enum
{
  PD_LIBRARY_PACK_BYTES,
  PD_LIBRARY_PACK_RUNS,
  PD_LIBRARY_TOUCH_BYTES,
  PD_LIBRARY_EXCHANGES,
  PD_N_LIBRARY_PARTS,
} PdLibraryPart;

/* The ranks that read and write the parts of a distributed array. */
typedef enum
{
  PD_IO_WRITERS_ONE, /* the I/O processor, which exchanges the parts with the others */
  PD_IO_WRITERS_ALL, /* each its own part, all at once */
} PdIoWriters;

/* Files of programs whose trace has the sizes of reads and writes. */
typedef struct
{
  gboolean is_given; /* else operations take the time that they took where the trace was recorded */
  PdTime latency;    /* of each operation, of each processor that takes part in it */
  gdouble bandwidth; /* of the file system, which all share; bytes per second, > 0 */
  guint writers;     /* PdIoWriters */
} PdIo;

/* The last level of caches. */
typedef struct
{
  gboolean is_given;
  gint64 size;       /* bytes, > 0 */
  gint64 processors; /* of a node that share one; 0 = all of the node */
} PdCache;

/* The additional cost of each call of a function for the caller. */
typedef struct
{
  char *name; /* "MPI_Send" */
  PdTime overhead;
  gdouble per_byte; /* of a collective operation: ps per byte of its block or vector … */
  gint64 from;      /* … if that has at least so many bytes */
} PdFunctionCost;

/* "Operation x uses algorithm y up to so many bytes." */
typedef struct
{
  char *operation;  /* "allreduce" */
  char *algorithm;  /* "recursive-doubling" */
  gint64 up_to;     /* bytes; G_MAXINT64 = any */
  gint64 min_ranks; /* size of the communicator; 0 = any */
  gint64 max_ranks; /* G_MAXINT64 = any */
  gint64 segment;   /* bytes; 0 = none */
} PdCollectiveUse;

/* Set "simple", the cost model of Dimemas: an operation takes, after the last
 * arrival, a fan in and a fan out among the nodes, and then among the ranks of
 * the fullest node. A fan over n takes (startup + m * per-byte) * f:
 * f = 0, 1, n - 1, or its stages, of ceil (log2 n); with few channels a stage
 * counts as often as they have to be used. */
typedef enum
{
  PD_PHASE_NONE,
  PD_PHASE_CONSTANT,
  PD_PHASE_LINEAR,
  PD_PHASE_LOGARITHMIC,
} PdPhaseModel;

/* The size m, as a function of the bytes that the root (without one, rank 0) sends and receives. */
typedef enum
{
  PD_PHASE_SENT,
  PD_PHASE_RECEIVED,
  PD_PHASE_MIN,
  PD_PHASE_MAX,
  PD_PHASE_MEAN,
  PD_PHASE_TWICE_MAX,
  PD_PHASE_SUM,
} PdPhaseSize;

typedef struct
{
  PdPhaseModel model;
  PdPhaseSize size;
} PdPhase;

/* Other fans for one operation. */
typedef struct
{
  char *operation;
  PdPhase in;
  PdPhase out;
} PdCollectiveCost;

/* The costs of messages among the nodes, or within one. */
typedef struct
{
  gboolean is_given; /* else startup and per_byte are those of the network itself */
  PdTime startup;
  gdouble per_byte; /* ps */
  gint64 channels;  /* at a time; 0 = any number */
} PdPhaseLevel;

/* Disturbances of computation. */
typedef enum
{
  PD_NOISE_NONE,
  PD_NOISE_NORMAL,      /* each piece takes 1 + sigma * N(0,1) times as long, at least 0 */
  PD_NOISE_EXPONENTIAL, /* each piece is delayed: @share of its time, or @mean, on average */
  PD_NOISE_TRACE,       /* noise samples as measured */
  PD_NOISE_RECORDED,    /* parallel loops, as their repetitions scatter in a DVM trace */
} PdNoiseKind;

typedef struct
{
  PdNoiseKind kind;
  gdouble sigma; /* NORMAL: >= 0 */
  gdouble share; /* EXPONENTIAL: >= 0; 0 = @mean holds */
  PdTime mean;   /* EXPONENTIAL: >= 0 */
  char *file;    /* TRACE: a list of noise samples; relative to the machine's file */
} PdMachineNoise;

/* How a factor is distributed. */
typedef enum
{
  PD_SPREAD_NORMAL,    /* 1 + sigma * N(0,1), drawn again where it is not above 0 */
  PD_SPREAD_LOGNORMAL, /* exp (sigma * N(0,1)): half of them are below 1 */
  PD_SPREAD_UNIFORM,   /* between 1 - sigma * sqrt (3) and 1 + sigma * sqrt (3) */
} PdSpreadKind;

/* A value of the description that is only known with an error: see --samples. */
typedef struct
{
  char *path; /* as in settings */
  PdSpreadKind kind;
  gdouble sigma;     /* standard deviation of the factor, >= 0; uniform: below 0.57 */
  gboolean is_ratio; /* @path is one of pd_machine_ratios[], of the whole machine */
} PdMachineSpread;

/* How much a value of the description can be trusted, most of all first. */
typedef enum
{
  PD_VALUE_MEASURED,      /* measured on the machine */
  PD_VALUE_FITTED,        /* of a model that was fitted to measurements of the machine */
  PD_VALUE_SPECIFICATION, /* nominal: stated by the manufacturer or the operator */
  PD_VALUE_ESTIMATE,      /* derived from other figures, or assumed */
  PD_VALUE_N_SOURCES,
} PdValueSourceKind;

/* Where values of the description come from. */
typedef struct
{
  char *paths; /* as in settings, ", " between them */
  PdValueSourceKind kind;
  char *text; /* which document, or how the value was derived */
} PdValueSource;

/* Intervals in which processors are faster than elsewhere. */
typedef struct
{
  char *file;    /* where they begin: source file, or of a Dimemas trace the type of events … */
  gint64 line;   /* … and its line, or the value */
  gdouble speed; /* relative to the processor's, > 0 */
} PdMachineRegion;

typedef struct _PdMachine
{
  char *name;
  char *description;         /* "" if none */
  char *origin;              /* file name, or the inline text */
  PdMachineNetwork *network; /* the outermost */
  PdSoftware software;
  PdIo io;
  PdCache cache;
  GArray *functions;      /* PdFunctionCost */
  char *collectives;      /* name of the set: "mpich1", "mpich4", "openmpi4", "simple" */
  PdTime collective_time; /* set "simple": what each collective costs besides its fans */
  PdPhase fan_in;         /* set "simple": of operations that @costs does not name */
  PdPhase fan_out;
  PdPhaseLevel fan_network; /* set "simple": among nodes */
  PdPhaseLevel fan_memory;  /* and within one */
  GArray *uses;             /* PdCollectiveUse */
  GArray *costs;            /* PdCollectiveCost */
  PdMachineNoise noise;
  char *map;          /* (nullable): the default placement of ranks, see pd_machine_place() */
  GArray *regions;    /* PdMachineRegion */
  GArray *spreads;    /* PdMachineSpread */
  GArray *sources;    /* PdValueSource; no prediction depends on them */
  gint64 year;        /* of the figures, 0 to 9999; 0 = not known */
  PdPoints *measured; /* (nullable): what it was fitted to; no prediction depends on it */
  guint32 n_processors;
} PdMachine;

/**
 * pd_machine_free:
 * @self: (nullable): the machine
 */
void pd_machine_free (PdMachine *self);

/**
 * pd_value_source_name:
 * @kind: below %PD_VALUE_N_SOURCES
 *
 * Returns: (transfer none): the word of descriptions for it, as "measured".
 */
const char *pd_value_source_name (PdValueSourceKind kind);

/**
 * pd_machine_get_speed:
 * @self: the machine
 * @processor: less than n_processors
 *
 * Returns: the relative speed of that processor, > 0.
 */
gdouble pd_machine_get_speed (const PdMachine *self, guint32 processor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMachine, pd_machine_free)

G_END_DECLS

#endif
