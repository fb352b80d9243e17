/* Predictor.par of the DVM system as it is written: entities by name.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAR_FILE_PRIVATE_H
#define PD_PAR_FILE_PRIVATE_H

#include "base/pd-error.h"
#include "comsys/description/pd-machine-parts.h"

/* Members of a cluster that are alike. */
typedef struct
{
  guint64 count;
  char *name; /* lower case */
} PdParMember;

/* A cluster (has members) or a processor (has a power), or a name that was
 * used but not defined (has neither). */
typedef struct
{
  char *name;      /* as first written */
  guint line;      /* where it is first mentioned */
  GArray *members; /* PdParMember; NULL */
  char *power;     /* NULL */
  char *type;      /* lower case; a word or a cluster; NULL */
  char *channels;  /* NULL */
  char *startup;   /* us */
  char *per_byte;  /* us */
} PdParEntity;

typedef struct
{
  const char *origin;
  const char *p; /* the unread part */
  guint line;
  GHashTable *entities; /* lower case name -> PdParEntity */
  char *root;           /* lower case; NULL */
  GError **error;
} PdParFile;

/**
 * pd_par_file_init:
 * @self: (out caller-allocated): nothing has been read yet
 * @text: (borrowed)
 * @origin: (borrowed): what messages call it
 */
void pd_par_file_init (PdParFile *self, const char *text, const char *origin, GError **error);

/**
 * pd_par_file_read:
 * Reads all statements. Returns: %FALSE with the error set.
 */
gboolean pd_par_file_read (PdParFile *self);

void pd_par_file_clear (PdParFile *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdParFile, pd_par_file_clear)

/* An error at @line. Returns FALSE. */
#define pd_par_fail(self, at_line, code, ...)                                                      \
  pd_fail_at ((self)->error, PD_MACHINE_ERROR, code, (self)->origin, at_line, __VA_ARGS__)

/**
 * pd_machine_is_dvm_par:
 * Returns: whether the text looks like a Predictor.par.
 */
gboolean pd_machine_is_dvm_par (const char *text);

#endif
