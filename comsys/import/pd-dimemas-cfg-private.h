/* Configurations of Dimemas (.cfg): pd-dimemas-cfg.c gives their records,
 * pd-dimemas-costs.c reads the files of collective operations that they name,
 * pd-dimemas-records.c keeps what the records say, pd-dimemas-import.c makes the tree
 * of it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIMEMAS_CFG_PRIVATE_H
#define PD_DIMEMAS_CFG_PRIVATE_H

#include "base/pd-error.h"
#include "comsys/description/pd-machine-parts.h"

/* "NAME" {FIELD, FIELD, …};; */
typedef struct
{
  char *name;
  guint line;
  GPtrArray *fields; /* char *, without quotes; of "[n] {a,b}" the fields "[n]", a and b */
} PdCfgRecord;

void pd_cfg_record_clear (PdCfgRecord *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdCfgRecord, pd_cfg_record_clear)

typedef struct
{
  const char *origin;
  const char *p; /* the unread part */
  guint line;
  GError **error;
} PdCfgFile;

/* An error at @line. Returns FALSE. */
#define pd_cfg_fail(self, at_line, code, ...)                                                      \
  pd_fail_at ((self)->error, PD_MACHINE_ERROR, code, (self)->origin, at_line, __VA_ARGS__)

/**
 * pd_cfg_next:
 * @record: (out caller-allocated): the next record; to clear
 * @at_end: (out): there is none
 *
 * Passes over comments and over the descriptions of the form itself.
 *
 * Returns: %FALSE with the error set.
 */
gboolean pd_cfg_next (PdCfgFile *self, PdCfgRecord *record, gboolean *at_end);

/* Nodes that are alike; texts are of the file. */
typedef struct
{
  guint line;
  guint64 count;
  guint64 processors;
  char *speed;
  char *memory[5];  /* latency, bandwidth, buses, in-links, out-links */
  char *network[3]; /* latency, in-links, out-links */
} PdDimemasGroup;

enum
{
  PD_DIMEMAS_LATENCY,
  PD_DIMEMAS_BANDWIDTH,
  PD_DIMEMAS_BUSES,
  PD_DIMEMAS_IN_LINKS,
  PD_DIMEMAS_OUT_LINKS,
};

typedef struct
{
  PdCfgFile *file;
  GArray *groups;
  guint64 n_nodes;   /* of the groups */
  guint env_line;    /* 0 = not yet */
  guint64 env_nodes; /* as announced */
  char *bandwidth;   /* MB/s */
  char *buses;
  guint64 model;
  char *map;
  GArray *mapping; /* (nullable): guint64, node of each task */
  guint map_line;
  char *costs;        /* (nullable): file of collective operations */
  GPtrArray *modules; /* char *: type, value, ratio, … */
} PdDimemasFile;

/**
 * pd_dimemas_add_costs:
 * @path: a file of collective operations
 * @collectives: the element to which it adds those of machine 0
 *
 * Returns: %FALSE with @error set.
 */
gboolean pd_dimemas_add_costs (const char *path, PdElement *collectives, GError **error);

#endif
