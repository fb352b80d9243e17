/* The records of configurations of Dimemas, as far as they matter: each is checked and
 * kept. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIMEMAS_RECORDS_PRIVATE_H
#define PD_DIMEMAS_RECORDS_PRIVATE_H

#include "comsys/import/pd-dimemas-cfg-private.h"

/**
 * pd_dimemas_config_read:
 * @self: (out caller-allocated): what @file says; to clear, even after an error
 *
 * Returns: %FALSE with the error of @file set.
 */
gboolean pd_dimemas_config_read (PdDimemasFile *self, PdCfgFile *file);
void pd_dimemas_config_clear (PdDimemasFile *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdDimemasFile, pd_dimemas_config_clear)

#endif
