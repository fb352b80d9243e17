/* Configurations of Dimemas (.cfg): pd-dimemas-cfg.c gives their records,
 * pd-dimemas-costs.c reads the files of collective operations that they name,
 * pd-dimemas-import.c makes the tree of it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIMEMAS_CFG_PRIVATE_H
#define PD_DIMEMAS_CFG_PRIVATE_H

#include "comsys/pd-machine-private.h"

G_BEGIN_DECLS

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
  const char *p; /* what is still to be read */
  guint line;
  GError **error;
} PdCfgFile;

/* An error at @line. Returns FALSE. */
gboolean pd_cfg_fail (const PdCfgFile *self, guint line, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

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

/**
 * pd_dimemas_add_costs:
 * @path: a file of collective operations
 * @collectives: the element to which it adds those of machine 0
 *
 * Returns: %FALSE with @error set.
 */
gboolean pd_dimemas_add_costs (const char *path, xmlNode *collectives, GError **error);

G_END_DECLS

#endif
