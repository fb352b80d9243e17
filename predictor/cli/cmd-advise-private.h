/* What "predictor advise" does beside its search for grids.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CMD_ADVISE_PRIVATE_H
#define PD_CMD_ADVISE_PRIVATE_H

#include "predictor/options/cmd-tools.h"
#include "predictor/search/pd-advise.h"
#include "predictor/options/pd-common-options.h"
#include "reports/advice/pd-choice.h"
#include "scale/pd-scale-model.h"
#include "traces/graph/pd-mp-trace.h"
#include "traces/open/pd-dvm-set.h"

#define PD_N_ALLTOALL_OPTIONS 8

#define PD_ALLTOALL_NONE G_MININT64 /* a number that was not given */

/* --alltoall and what belongs to it. */
typedef struct
{
  gboolean wanted;
  gboolean sensitivity;
  char *bytes;
  char *self;
  char *timing;
  char *sockets;
  gint64 n_ranks; /* PD_ALLTOALL_NONE: not given */
  gint64 block;   /* likewise */
} PdAlltoallCommand;

#define PD_ADVISE_NO_MAX G_MININT64 /* --max-procs was not given */

/* The command line, parsed. */
typedef struct
{
  char **machines;     /* (nullable) */
  const char *machine; /* the first of them; NULL: none was given */
  char *flops_text;
  gdouble flops; /* 0: not given */
  char *counts;
  char *by;
  char *deadline;
  char *output;
  char *csv;
  char *db;
  char *min_efficiency;
  char *price;
  gint64 max_processors;
  gint64 limit;
  gint64 n_threads;
  PdModelOptions model;
  PdCommonOptions common; /* without its protocol */
  PdAlltoallCommand alltoall;
  gboolean shapes;
  gboolean exhaustive;
  gboolean strict;
  gboolean json;
  gboolean quiet;
  gboolean verbose;
  PdAdviceCriteria criteria;
  char *const *more; /* (nullable) (array zero-terminated=1): traces behind the first; borrowed */
  PdFamily *family;  /* (nullable): several traces of a DVM program were given */
  GPtrArray *cleanings; /* (nullable): of a DVM trace, after pd_cmd_advise_read_facts() */
} PdAdviseCommand;

/* Common data of the command and the search for grids; borrowed. */
typedef struct
{
  const char *machine;
  const char *const *settings;
  const char *output; /* the following are files, or %NULL */
  const char *csv;
  gboolean json;
  gboolean quiet;
  gboolean verbose;
  const char *command_line;
} PdAlltoallOutput;

/* Fills a table of %PD_N_ALLTOALL_OPTIONS and an end. */
void pd_alltoall_command_fill (PdAlltoallCommand *self, GOptionEntry *entries);
/* Whether nothing of it was given that asks for --alltoall. */
gboolean pd_alltoall_command_check_unused (const PdAlltoallCommand *self, GError **error);
/* Returns the exit status. */
int pd_alltoall_command_run (const PdAlltoallCommand *self, const PdAlltoallOutput *output,
                             GError **error);
void pd_alltoall_command_clear (PdAlltoallCommand *self);

/* Makes the report of one option: its inputs. */
typedef PdReport *(*PdChoiceReport) (const char *machine, gpointer data, GError **error);

/* The question for several machines, or shapes of them. Everything is borrowed. */
typedef struct
{
  const char *const *machines; /* (array zero-terminated=1) */
  gboolean shapes;             /* each shape of each */
  PdAdviseOptions search;      /* but for the machine and, with shapes, the map */
  const GPtrArray *programs;   /* (nullable) (element-type PdMpTrace): a message-passing program,
                                * recordings of one on several numbers of ranks, or what a model
                                * gives on them; by rising number */
  const GPtrArray *names;      /* (nullable) (element-type utf8): of recordings */
  PdScaleModel *model;         /* (nullable): that has made them */
  gdouble flops;               /* of it, as in PdMpOptions */
  gboolean simulated;          /* likewise */
  PdChoiceReport start_report;
  gpointer data; /* of @start_report */
} PdChoiceQuestion;

/* Returns: (transfer full) (nullable): the choice, with one option at least. */
PdChoice *pd_cmd_advise_choose (const PdChoiceQuestion *question, GError **error);

/* The programs of @question, on the machine of @predict, in @report. */
PdAdvice *pd_cmd_advise_predict_programs (const PdChoiceQuestion *question,
                                          const PdPredictOptions *predict, PdReport *report,
                                          GError **error);

/* Writes the advice for a trace, or a model, of that name. Returns the exit status. */
int pd_cmd_advise_conclude (const PdAdviseCommand *options, const char *trace,
                            const PdAdvice *advice, GError **error);

/* Whether there are several machines, or ways to use one. */
gboolean pd_cmd_advise_is_choice (const PdAdviseCommand *options);
/* The options of the search, without the trace's facts; borrows @begin. */
PdAdviseOptions pd_cmd_advise_get_search (const PdAdviseCommand *options,
                                          const PdTraceSource *source, gint64 *begin);
/* Completes @what with the facts of the trace; @counts: (out) (transfer full): borrowed by
 * @what. Returns the exit status. */
int pd_cmd_advise_read_facts (PdAdviseCommand *options, PdAdviseOptions *what, PdTraceFacts *facts,
                              GArray **counts, GError **error);
/* Return the exit status. A message-passing program has the ranks of its trace, but there
 * may be several machines. */
int pd_cmd_advise_choose_for_dvm (PdAdviseCommand *options, const PdTraceSource *source,
                                  const PdDvmSet *set, char *command_line, GError **error);
int pd_cmd_advise_choose_for_program (PdAdviseCommand *options, const PdTraceSource *source,
                                      char *command_line, GError **error);

#endif
