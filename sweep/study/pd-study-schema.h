/* The tables of a study's database.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_SCHEMA_H
#define PD_STUDY_SCHEMA_H

#include "sweep/study/pd-study-db.h"

/**
 * pd_study_db_schema:
 * @study: complete
 *
 * Returns: (transfer full): the statements that make the tables.
 */
char *pd_study_db_schema (const PdStudy *study);

#endif
