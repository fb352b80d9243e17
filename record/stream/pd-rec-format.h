/* The raw stream of a thread of a rank: a head of one page, then records of whole 64-bit
 * words. The first word of a record is written last, and memory behind the last
 * record is zero, so a stream can be read whatever happened to its process.
 * The byte order is the machine's. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_FORMAT_H
#define PD_REC_FORMAT_H

#include <stdint.h>

#define PD_REC_MAGIC          "PDREC8\n"
#define PD_REC_BYTE_ORDER     0x01020304u
#define PD_REC_HEAD_BYTES     4096
#define PD_REC_MAX_RANKS      (1u << 24)
#define PD_REC_MAX_THREADS    (1u << 20) /* of a rank, that call MPI at once */
#define PD_REC_MAX_WORDS      255
#define PD_REC_MAX_NEIGHBOURS 2048 /* that are recorded, of a rank in a communicator */

/* A record's first word, from the lowest bits: kind 8, words 8 (all of them),
 * a 16, b 32. */
typedef enum
{
  PD_REC_END,           /* nothing follows */
  PD_REC_PAD,           /* b words in all, up to the end of a mapped piece */
  PD_REC_DATA,          /* b bytes for the next definition */
  PD_REC_DEF_FUNCTION,  /* a: number; data: name */
  PD_REC_DEF_MODULE,    /* b: number, from 1; data: path */
  PD_REC_DEF_STACK,     /* b: number, from 1; caller (lo), module (hi); offset */
  PD_REC_DEF_COMM,      /* b: number; identity; parent (lo), members (hi); data: members */
  PD_REC_DEF_INTER,     /* b: number; identity; members of both (lo, hi); data: members */
  PD_REC_DEF_WINDOW,    /* b: number; identity; communicator; data: name */
  PD_REC_DEF_FILE,      /* b: number; identity; communicator; data: name */
  PD_REC_DEF_COMM_NAME, /* b: communicator; data: name */
  PD_REC_DEF_GROUP,     /* b: number; data: ranks of the world, of neighbours perhaps repeated */
  PD_REC_CALL,          /* a: function, b: stack; t0; t1 */
  PD_REC_SENT,          /* a: mode, b: comm; peer (lo), tag (hi); bytes */
  PD_REC_ISENT,         /* a: mode, b: comm; peer, tag; bytes; request */
  PD_REC_RECEIVED,      /* a: wild, b: comm; peer, tag; bytes */
  PD_REC_POSTED,        /* b: comm; peer, tag; bytes; request */
  PD_REC_ARRIVED,       /* b: comm; peer, tag; bytes; request */
  PD_REC_SEND_ENDED,    /* b: request */
  PD_REC_COLL_ENDED,    /* as PD_REC_COLLECTIVE */
  PD_REC_RMA_ENDED,     /* b: window; request */
  PD_REC_RMA_TESTED,    /* likewise */
  PD_REC_WAS_CANCELLED, /* b: request */
  PD_REC_WAS_TESTED,    /* b: request */
  PD_REC_COLLECTIVE,    /* a: op, b: comm; root (lo), request (hi); sent; received */
  PD_REC_FILE_WORK,     /* a: what and flags, b: file; request (lo); asked for; moved */
  PD_REC_ONE_SIDED,     /* a: what, b: window; target or group (lo), request (hi); sent; received */
  PD_REC_CONTROL,       /* b: level; id */
  PD_REC_SWITCH,        /* a: on; time */
  PD_REC_PROCESSOR,     /* of the call that follows: processor time of the process (a = 0) or of
                         * the thread (a = 1) at its beginning and at its end, ns; 0 = not read */
  PD_REC_NEIGHBOURS,    /* of the operation that follows; b: group of sources; of targets */
  PD_REC_N_KINDS,
} PdRecKind;

/* Of what PD_REC_PROCESSOR is. */
enum
{
  PD_REC_OF_PROCESS,
  PD_REC_OF_THREAD,
  PD_REC_N_OF,
};

#define PD_REC_FIRST(kind, words, a, b)                                                            \
  ((uint64_t) (kind) | (uint64_t) (words) << 8 | (uint64_t) (uint16_t) (a) << 16                   \
   | (uint64_t) (uint32_t) (b) << 32)
#define PD_REC_PAIR(lo, hi)   ((uint64_t) (uint32_t) (lo) | (uint64_t) (uint32_t) (hi) << 32)
#define PD_REC_N_WORDS(first) ((uint32_t) ((first) >> 8) & 0xff)
#define PD_REC_LO(word)       ((uint32_t) (word))
#define PD_REC_HI(word)       ((uint32_t) ((word) >> 32))

/* The clock of computation. */
typedef enum
{
  PD_REC_CLOCK_AUTO, /* as an option: processor time where ranks share processors */
  PD_REC_CLOCK_WALL, /* time that passes */
  PD_REC_CLOCK_CPU,  /* processor time of the first thread */
  PD_REC_N_CLOCKS,
} PdRecClock;

/* Why nothing more was recorded. */
typedef enum
{
  PD_REC_RUNNING, /* the process died, or still runs */
  PD_REC_ENDED,   /* MPI_Finalize */
  PD_REC_AGREED,  /* all ranks stopped at the same collective operation */
  PD_REC_OVER_LIMIT,
  PD_REC_DISK_FULL,
  PD_REC_NO_MEMORY,
  PD_REC_FILE_LOST,
  PD_REC_N_REASONS,
} PdRecReason;

/* The cost of recording depends on the kind of call. */
typedef enum
{
  PD_REC_COST_BLOCKING,     /* sends or receives */
  PD_REC_COST_NON_BLOCKING, /* begins something, or waits for it */
  PD_REC_COST_COLLECTIVE,
  PD_REC_COST_TEST,  /* asks in vain */
  PD_REC_COST_OTHER, /* its cost is not recorded */
  PD_REC_N_COSTS,
} PdRecCost;

/* The reading of the rank's clock when that of rank 0 showed @at + @offset. */
typedef struct
{
  uint64_t at;
  int64_t offset;
} PdRecOffset;

/* Outermost parallel regions of OpenMP; times are ns. */
typedef struct
{
  uint64_t n;         /* 1 + how many; 0 = no runtime reports it */
  uint64_t time;      /* that they took */
  uint64_t busy;      /* that threads worked in them, of all threads together */
  uint64_t longest;   /* that the thread that worked longest did, of all regions together */
  uint64_t capacity;  /* each region's time multiplied by its threads */
  uint32_t n_threads; /* the most that one had */
} PdRecRegions;

/* The limits of the process on its host, and its usage. */
#define PD_REC_PROCESSORS 1024 /* the most that are distinguished */
typedef struct
{
  uint64_t processors[PD_REC_PROCESSORS / 64]; /* a bit for each that it may use; none: unknown */
  uint32_t quota;        /* thousandths of a processor that its control group may use; 0 = all */
  uint32_t n_threads;    /* the most it had at once, without those of MPI; 0 = unknown */
  uint64_t n_switches;   /* 1 + how often another process took its processor; 0 = unknown */
  uint64_t memory;       /* the most that was resident, bytes; 0 = unknown */
  uint64_t waited;       /* 1 + ns its first thread was ready but had no processor; 0 = unknown */
  uint64_t reading_cost; /* ps that reading a thread's processor time costs; 0 = unknown */
  PdRecRegions regions;
} PdRecUsage;

typedef struct
{
  char magic[8];
  uint32_t byte_order;
  uint32_t n_functions;
  int32_t rank;
  int32_t size;
  uint64_t began;    /* by the rank's clock */
  uint64_t realtime; /* ns since 1970, at the same moment */
  uint32_t reason;   /* PdRecReason */
  uint32_t n_offsets;
  PdRecOffset offsets[2];
  uint64_t cut;                   /* where the stream ends, in bytes; 0 = where its records do */
  uint64_t entered_at;            /* when @entered was called last; it may have returned since */
  uint32_t entered;               /* 1 + function; 0 = none */
  uint32_t pid;                   /* of the process */
  uint32_t thread;                /* of those that call MPI, from 0, the one that began */
  uint32_t clock;                 /* PdRecClock */
  uint64_t costs[PD_REC_N_COSTS]; /* picoseconds per call; 0 = not known */
  uint64_t ended; /* when the run was over, though recording was not on; 0 = not known */
  char host[256];
  PdRecUsage usage; /* in the stream of thread 0 */
  uint64_t run;     /* the same in all streams of a run: @realtime of rank 0; 0 = not known */
} PdRecHead;

#endif
