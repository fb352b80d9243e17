/* What the parts of the DVM interpreter share. The interpreter turns the calls
 * of a trace into steps; it runs once over the trace, ahead of the fastest
 * processor, and knows nothing of simulated time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_PRIVATE_H
#define PD_DVM_PRIVATE_H

#include "dataserver/pd-data-server.h"
#include "predictor/pd-dvm-objects-private.h"
#include "predictor/pd-dvm.h"
#include "traces/pd-dvm-reader.h"

G_BEGIN_DECLS

/* A program context: what is created in it dies with it. */
typedef struct
{
  GHashTable *members; /* (nullable): set of PdMember, borrowed from PdDvm.members */
  gint64 loop;         /* of a loop's context: its reference; else 0 */
} PdContext;

/* The files of a run recorded on several processors; see pd-dvm-several.c. */
typedef struct _PdDvmSeveral PdDvmSeveral;

/* Which records of the trace something stands for: the first one's place. */
typedef struct
{
  const char *name; /* borrowed from the reader */
  const char *file;
  gint64 line;
  guint64 first; /* numbers */
  guint64 last;
} PdRecords;

/* What is known of across_ (see pd-dvm-across.c). */
typedef struct _PdAcross PdAcross;

/* What addbnd_ and addshd_ said of the next loop (see pd-dvm-bounds.c). */
typedef struct _PdShadowBounds PdShadowBounds;

struct _PdDvm
{
  PdDvmReader *reader;   /* borrowed */
  PdDvmCall current;     /* the current call; its times may be spent already */
  const PdDvmCall *call; /* = &current */
  PdMessages *messages;  /* borrowed */
  PdComsys *comsys;      /* borrowed */
  PdIntervalTree *tree;  /* borrowed */
  const PdDvmOptions *options;
  PdDataServer *server; /* while interpreting */
  PdObjects *objects;
  guint n_speeds;
  const gdouble *speeds;    /* of each class */
  const guint16 *speed_of;  /* (array): class of each processor */
  PdNodeRatios *ratios;     /* (nullable) borrowed */
  gboolean separate;        /* see PdDvmHost */
  PdTeam *initial;          /* the user's grid */
  PdTeam *team;             /* current */
  gint64 traced_processors; /* the program saw so many */

  GArray *contexts;     /* PdContext, innermost last */
  GHashTable *members;  /* set of PdMember: what dies with its context */
  guint64 last_view;    /* PdView.serial */
  GHashTable *machines; /* see pd_dvm_machines_new() */
  GArray *tasks;        /* see pd_dvm_tasks_new(): those that are open */
  guint n_partial;      /* tasks among them that some processors skip */
  guint context_base;   /* contexts that belong to what is around the current task */
  guint open_base;      /* likewise, open intervals */
  GHashTable *placed;   /* which template an array lies on, see pd_dvm_placed_list() */
  GHashTable *on_view;  /* … and which arrays lie on a template */
  guint32 node;         /* current interval */
  GArray *open;         /* PdOpenInterval */
  PdTime spent;         /* sequential time not charged yet, at speed 1 */
  guint32 spent_node;   /* interval of @spent */
  PdRecords spent_of;   /* its records */
  PdTime *pending;      /* (array length=n_speeds): charged, but not yet in a step */
  PdTime pending_io;    /* likewise, of the I/O processor alone */
  guint32 pending_node; /* interval of @pending_io */
  PdRecords pending_of; /* its records */
  gboolean in_io;       /* between biof_ and eiof_ */
  gint32 next_tag;
  GHashTable *started;    /* see pd_dvm_started_new() */
  GPtrArray *families;    /* PdCommFamily */
  PdAcross *across;       /* what has been said of ordered loops */
  PdShadowBounds *bounds; /* … and of loops on shadow elements */
  gboolean is_first;      /* the next call carries the start-up time */
  gboolean pushed_back;   /* the current call is to be interpreted again */
  gboolean at_end;        /* of the trace */
  gboolean is_finished;   /* the last step is there, or an error */
  PdTime startup;         /* what was left out, or kept */

  PdDvmSeveral *several;  /* (nullable): recorded on one processor */
  PdTime *own;            /* (nullable) (array length=n_speeds): besides @spent, of each class */
  GArray *shifts;         /* see pd_dvm_shifts_new() */
  GHashTable *weightings; /* of PdTeam: PdWeighting, what is said about it for all templates */
  guint8 *seen_blocks;    /* (array) (nullable): lists of options->blocks that were asked for */
};

/* ---- pd-dvm-charge.c */

/* Ordinary time of every processor of the current team. */
void pd_dvm_charge (PdDvm *self, PdTime time);
/* … of each speed class: its own; where the grid is the recorded one. */
void pd_dvm_charge_own (PdDvm *self, const PdTime *times);
/* Ordinary time around the current call: call_ and ret_. */
void pd_dvm_charge_call (PdDvm *self);
void pd_dvm_charge_ret (PdDvm *self);
/* The same for computation that counts as parallel, though all do all of it. */
void pd_dvm_charge_par (PdDvm *self, PdTime time);
/* The current call. */
PdRecords pd_dvm_get_records (const PdDvm *self);
void pd_dvm_set_records (PdStepDvm *step, const PdRecords *records);
/* Ordinary time that was charged becomes a step, before others become current. */
void pd_dvm_flush (PdDvm *self);
/* A step of the current call, with the ordinary time that came before it. */
PdStepDvm *pd_dvm_emit (PdDvm *self, PdStepKindDvm kind);
/* A tag of its own for every operation. */
gint32 pd_dvm_new_tag (PdDvm *self);
/* A new operation of the current team. */
PdOperation *pd_dvm_operation_new (PdDvm *self, PdQuantity component);
/* A collective operation of the whole current team. */
PdStepDvm *pd_dvm_emit_collective (PdDvm *self, PdOperation *operation, PdOp op, gint64 bytes);
/* Counts one operation of every processor of the current team. */
void pd_dvm_count (PdDvm *self, PdQuantity counter);

/* ---- pd-dvm-families.c */

/* The communicators of @team: one, or one per line of the split dimensions. */
PdCommFamily *pd_dvm_get_family (PdDvm *self, PdTeam *team, const gboolean *split);

/* ---- pd-dvm.c */

void pd_dvm_warn (PdDvm *self, const char *id, const char *subject, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
gboolean pd_dvm_fail (PdDvm *self, GError **error, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Whether only the times of @function count, and nothing is known to be lost. */
gboolean pd_dvm_is_ordinary (PdDvmFunction function);
/* Whether what @function does between processors, if anything, is modelled. */
gboolean pd_dvm_is_simulated (PdDvmFunction function);

/* A handler interprets the current call: charges its times and emits steps. */
typedef gboolean (*PdDvmHandler) (PdDvm *self, GError **error);

/* For loops, which read on by themselves. */
/* The next call becomes current. FALSE at the end of the trace, or with @error. */
gboolean pd_dvm_read (PdDvm *self, GError **error);
/* Lets the current call, an object function, change the objects; no charges. */
gboolean pd_dvm_apply_quietly (PdDvm *self, GError **error);

/* ---- pd-dvm-context.c */

/* The current version of an object; NULL if there is none. */
gpointer pd_dvm_find (PdDvm *self, PdObjectKind kind, gint64 id);
/* Stores a new version, in the innermost context if @is_new and it is not static. */
void pd_dvm_store (PdDvm *self, PdObjectKind kind, gint64 id, gpointer object, gboolean is_new);
void pd_dvm_delete (PdDvm *self, PdObjectKind kind, gint64 id);
void pd_dvm_contexts_init (PdDvm *self);
void pd_dvm_contexts_clear (PdDvm *self);
void pd_dvm_context_open (PdDvm *self, gint64 loop);
void pd_dvm_context_close (PdDvm *self);
/* What the innermost context owns goes over to the one around it. */
void pd_dvm_context_fold (PdDvm *self);
/* The loop of the innermost context, or 0. */
gint64 pd_dvm_context_get_loop (const PdDvm *self);

gboolean pd_dvm_delete_object (PdDvm *self, GError **error);
gboolean pd_dvm_begbl (PdDvm *self, GError **error);
gboolean pd_dvm_endbl (PdDvm *self, GError **error);

/* ---- pd-dvm-objects.c */

PdObject *pd_object_ref (gpointer object);
void pd_object_unref (gpointer object);
gpointer pd_object_new (gsize size, GDestroyNotify free);
PdTeam *pd_team_new (PdDvm *self, PdGrid *grid);
/* The processor system a record names; 0 is the current one. */
PdTeam *pd_dvm_need_team (PdDvm *self, PdDvmKey key, GError **error);
gint64 pd_dvm_get (PdDvm *self, PdDvmKey key, gint64 fallback);
/* The mandatory scalar @key, or an error that names it. */
gboolean pd_dvm_need (PdDvm *self, PdDvmKey key, gint64 *value, GError **error);
const gint64 *pd_dvm_need_array (PdDvm *self, PdDvmKey key, guint n, GError **error);
/* Rank, 1 to @maximum. */
gboolean pd_dvm_need_rank (PdDvm *self, guint maximum, guint *rank, GError **error);
/* An error of the layout module (transfer full) gets the place it lacks. Returns FALSE. */
gboolean pd_dvm_layout_failed (PdDvm *self, GError *cause, GError **error);

PdView *pd_dvm_need_view (PdDvm *self, gint64 *id, GError **error);
/* A copy of a template to be changed: its next version. */
PdView *pd_dvm_view_copy (const PdView *old);
/* … distributed over the processor system that the record names: by the record's
 * parameters, or by those of @map (nullable; of the same rank). */
PdView *pd_dvm_view_distribute (PdDvm *self, const PdView *old, const PdView *map, GError **error);

gboolean pd_dvm_getps (PdDvm *self, GError **error);
gboolean pd_dvm_crtps (PdDvm *self, GError **error);
gboolean pd_dvm_psview (PdDvm *self, GError **error);
gboolean pd_dvm_crtamv (PdDvm *self, GError **error);
gboolean pd_dvm_blkdiv (PdDvm *self, GError **error);
gboolean pd_dvm_distr (PdDvm *self, GError **error);

/* ---- pd-dvm-arrays.c */

/* Neither handle nor header need exist yet. */
PdArray *pd_array_new (gint64 handle, gint64 header);
/* A copy with another layout (transfer full): the next version. */
PdArray *pd_array_move (const PdArray *old, PdLayout *layout, PdTeam *team);
void pd_dvm_store_array (PdDvm *self, PdArray *array, gboolean is_new);
/* The next version of an array that was aligned: it is the last of its template. */
void pd_dvm_store_aligned (PdDvm *self, PdArray *array);
/* The array that two parameters of the record name. */
PdArray *pd_dvm_find_array (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key);
/* … or an error that says that it does not exist. */
PdArray *pd_dvm_need_array_named (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key,
                                  GError **error);
PdArray *pd_dvm_need_array_object (PdDvm *self, GError **error);

void pd_dvm_placed_init (PdDvm *self);
void pd_dvm_placed_clear (PdDvm *self);
/* The array is on no template any more. */
void pd_dvm_placed_remove (PdDvm *self, gint64 handle);
/* Handles (gint64) of the arrays that lie on a template, the last aligned first. */
GArray *pd_dvm_placed_list (PdDvm *self, gint64 view);
/* The reference of the template is used again. */
void pd_dvm_placed_forget (PdDvm *self, gint64 view);

/* What an object is aligned with. */
typedef struct
{
  PdLayout *layout; /* (nullable): its distribution is not modelled */
  PdTeam *team;
  gint64 view;       /* the template in the end */
  gboolean is_array; /* not a template */
} PdPattern;

gboolean pd_dvm_need_pattern (PdDvm *self, PdPattern *pattern, GError **error);
gboolean pd_dvm_need_alignment (PdDvm *self, const PdPattern *pattern, PdAlignment *alignment,
                                GError **error);

/* The next version of @old, aligned as the record says; *aligned is NULL if the
 * pattern is not modelled. */
gboolean pd_dvm_read_alignment (PdDvm *self, const PdArray *old, PdArray **aligned, GError **error);
void pd_dvm_warn_unmapped (PdDvm *self, const char *what);

gboolean pd_dvm_crtda (PdDvm *self, GError **error);
gboolean pd_dvm_align (PdDvm *self, GError **error);
gboolean pd_dvm_addhdr (PdDvm *self, GError **error);
gboolean pd_dvm_crtbuffer (PdDvm *self, GError **error);

/* ---- pd-dvm-redistribution.c */

gboolean pd_dvm_redis (PdDvm *self, GError **error);
gboolean pd_dvm_mdistr (PdDvm *self, GError **error);
gboolean pd_dvm_realn (PdDvm *self, GError **error);
gboolean pd_dvm_malign (PdDvm *self, GError **error);
gboolean pd_dvm_amvmap (PdDvm *self, GError **error);
gboolean pd_dvm_arrmap (PdDvm *self, GError **error);
gboolean pd_dvm_gettar (PdDvm *self, GError **error);

/* ---- pd-dvm-fresh.c */

/* The messages of @inner (transfer full). @fresh: (nullable): what of its target
 * is fresh memory for those who hold it; @copies: whether what stays with a
 * processor takes time, too. */
PdPlan *pd_dvm_fresh_plan_new (PdPlan *inner, const PdSection *fresh, gint64 type_size,
                               gboolean copies);

/* ---- pd-dvm-copies.c */

/* An exchange by @plan (transfer full; nullable) between processors of two
 * systems: emits the step that starts it. Returns the operation (transfer full)
 * to be waited for, or NULL if nobody sends anything. */
PdOperation *pd_dvm_emit_copy (PdDvm *self, PdTeam *from, PdTeam *to, PdPlan *plan,
                               PdQuantity component, PdQuantity overlap);
/* Waits for it within the same record; @operation (transfer full; nullable). */
void pd_dvm_finish_copy (PdDvm *self, PdOperation *operation);
/* What copying costs by itself: each processor copies its part of @target
 * (layout NULL: memory, which all have). */
void pd_dvm_charge_copy (PdDvm *self, const PdSection *target, PdTime time);
/* The component of what is copied: of I/O statements it is their communication. */
PdQuantity pd_dvm_copy_component (const PdDvm *self);

gboolean pd_dvm_copy (PdDvm *self, GError **error);
gboolean pd_dvm_waitcp (PdDvm *self, GError **error);

/* ---- pd-dvm-remote.c */

/* The buffer that @array (nullable) is, or NULL. */
PdBuffer *pd_dvm_find_buffer (PdDvm *self, const PdArray *array);
/* The elements of a buffer that are filled: all, or those of a loop's steps;
 * layout NULL if it lies nowhere. */
void pd_dvm_get_buffer_target (const PdBuffer *buffer, const PdArray *array, PdSection *target);
/* Starts to fill the buffer of @array, which lies somewhere. */
gboolean pd_dvm_load_buffer (PdDvm *self, const PdArray *array, const PdBuffer *old,
                             GError **error);

gboolean pd_dvm_crtrb (PdDvm *self, GError **error);
gboolean pd_dvm_rmkind (PdDvm *self, GError **error);
gboolean pd_dvm_loadrb (PdDvm *self, GError **error);
gboolean pd_dvm_waitrb (PdDvm *self, GError **error);

/* ---- pd-dvm-remote-groups.c */

gboolean pd_dvm_crtbg (PdDvm *self, GError **error);
gboolean pd_dvm_insrb (PdDvm *self, GError **error);
gboolean pd_dvm_loadbg (PdDvm *self, GError **error);
gboolean pd_dvm_waitbg (PdDvm *self, GError **error);
gboolean pd_dvm_rstbg (PdDvm *self, GError **error);
/* A group is about to be deleted; @deletes: its buffers with it. */
void pd_dvm_empty_buffer_group (PdDvm *self, gint64 id, gboolean deletes);

/* ---- pd-dvm-weights.c */

void pd_dvm_weights_init (PdDvm *self);
void pd_dvm_weights_clear (PdDvm *self);
/* At the end of the trace: tells which lists of the block file nobody wanted. */
void pd_dvm_weights_finish (PdDvm *self);
/* A processor system is deleted. */
void pd_dvm_weights_forget (PdDvm *self, PdTeam *team);
/* What distr_ and redis_ of @view onto @team are to respect: its divisors, and
 * the lists that the program set before or the block file has. Warns of those
 * that are for another number of processors. @hints: (out): to be cleared with
 * pd_dvm_hints_clear(), after an error, too. */
gboolean pd_dvm_fill_hints (PdDvm *self, const PdView *view, PdTeam *team,
                            const PdDistribution *distribution, PdBlockHints *hints,
                            GError **error);
void pd_dvm_hints_clear (PdBlockHints *hints);
/* Warns of what the layout module put right. */
void pd_dvm_warn_repairs (PdDvm *self, const PdLayout *layout);

gboolean pd_dvm_setpsw (PdDvm *self, GError **error);
gboolean pd_dvm_genblk (PdDvm *self, GError **error);
gboolean pd_dvm_setelw (PdDvm *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdBlockHints, pd_dvm_hints_clear)

/* ---- pd-dvm-tasks.c */

/* The abstract machine with that reference, or an error. */
const PdAm *pd_dvm_need_am (PdDvm *self, gint64 id, GError **error);
/* Whether all processors of @part are of @self. */
gboolean pd_team_covers (const PdTeam *self, const PdTeam *part);
/* Whether all processors of @team (nullable) are in the current task, or an
 * error: others will not come to what they are to do there together. */
gboolean pd_dvm_need_inside (PdDvm *self, const PdTeam *team, GError **error);
GArray *pd_dvm_tasks_new (void);
void pd_dvm_tasks_clear (PdDvm *self);
/* The trace is over: so are the tasks. */
void pd_dvm_tasks_finish (PdDvm *self);
gboolean pd_dvm_getam (PdDvm *self, GError **error);
gboolean pd_dvm_getamr (PdDvm *self, GError **error);
gboolean pd_dvm_mapam (PdDvm *self, GError **error);
gboolean pd_dvm_runam (PdDvm *self, GError **error);
gboolean pd_dvm_stopam (PdDvm *self, GError **error);

/* ---- pd-dvm-loops.c */

gboolean pd_dvm_crtpl (PdDvm *self, GError **error);
gboolean pd_dvm_mappl (PdDvm *self, GError **error);
gboolean pd_dvm_dopl (PdDvm *self, GError **error);
gboolean pd_dvm_endpl (PdDvm *self, GError **error);
/* The loop 'LoopRef' names, or an error. */
const PdLoopObject *pd_dvm_need_loop (PdDvm *self, gint64 *id, GError **error);
void pd_dvm_loop_free (gpointer loop);

/* ---- pd-dvm-bounds.c */

PdShadowBounds *pd_dvm_bounds_new (void);
/* Another loop begins. */
void pd_dvm_bounds_forget (PdDvm *self);
/* A loop is just mapped: it may be executed on shadow elements, too. */
void pd_dvm_bounds_extend (PdDvm *self, PdLoopObject *loop, const PdPattern *pattern,
                           const PdAlignment *alignment);
gboolean pd_dvm_addbnd (PdDvm *self, GError **error);
gboolean pd_dvm_addshd (PdDvm *self, GError **error);
gboolean pd_dvm_setba (PdDvm *self, GError **error);

/* ---- pd-dvm-edges.c */

gboolean pd_dvm_exfrst (PdDvm *self, GError **error);
/* recvsh_, sendsh_, recvla_, sendsa_. */
gboolean pd_dvm_half (PdDvm *self, GError **error);
gboolean pd_dvm_imlast (PdDvm *self, GError **error);
/* An exchange of the edges of @arrays (PdShadowArray), or, if @reversed, of
 * shadow edges back to their owners; not started. (transfer full) */
PdOperation *pd_dvm_shadow_operation_new (PdDvm *self, const GArray *arrays, PdTeam *team,
                                          gboolean reversed);
/* Starts its receives, PD_STEP_RECVS, or its sends, PD_STEP_SENDS. */
void pd_dvm_emit_half (PdDvm *self, PdOperation *operation, guint32 flags);
/* What exfrst_ or imlast_ make of a loop just mapped. */
PdInterior *pd_dvm_edges_new_interior (PdDvm *self, const PdLoopObject *loop,
                                       const PdLayout *pattern, const PdAlignment *alignment);
/* A loop that is ready to be emitted. */
typedef struct
{
  gint64 id;
  const PdLoopObject *loop;
  PdLoopWork *work; /* (nullable): nothing to split */
  const PdRecords *records;
} PdLoopSteps;

/* Emits its steps, cut if need be. */
void pd_dvm_edges_emit (PdDvm *self, const PdLoopSteps *steps);

/* ---- pd-dvm-across.c */

PdAcross *pd_dvm_across_new (void);
void pd_dvm_across_free (PdAcross *across);
gboolean pd_dvm_across (PdDvm *self, GError **error);
/* doacr_: one group, which is split into what is exchanged before and what
 * between the portions. */
gboolean pd_dvm_doacr (PdDvm *self, GError **error);
/* Inside the first dopl_ of the loop @id, before anything is computed. */
void pd_dvm_across_begin (PdDvm *self, gint64 id);
/* All records of the loop are read: its portions took @time on one processor. */
void pd_dvm_across_decide (PdDvm *self, gint64 id, const PdLoopObject *loop, PdTime time);
/* Whether the current loop is executed as a pipeline: then emits it. */
gboolean pd_dvm_across_is_pipeline (const PdDvm *self, gint64 id);
void pd_dvm_across_emit (PdDvm *self, const PdLoopSteps *steps);
/* Inside the last dopl_. */
void pd_dvm_across_end (PdDvm *self, gint64 id);
/* The reference @id is another loop's now. */
void pd_dvm_across_forget (PdDvm *self, gint64 id);
/* Inside endpl_. */
void pd_dvm_across_measure (PdDvm *self, gint64 id);

/* ---- pd-dvm-comm.c */

/* Whether an exchange by @plan is simulated as a whole. */
gboolean pd_dvm_is_large (const PdDvm *self, const PdTeam *team, const PdPlan *plan);
/* An exchange among @team by @plan (transfer full): emits the step that starts
 * it. @overlap: its kind, PD_N_QUANTITIES = none. Returns the operation
 * (transfer full), to be waited for. */
PdOperation *pd_dvm_emit_exchange (PdDvm *self, PdTeam *team, PdPlan *plan, PdQuantity component,
                                   PdQuantity overlap);
/* @flags: PD_STEP_ENTERS if the wait is a record of its own, not if the record
 * started the exchange, too; PD_STEP_PARTLY. */
void pd_dvm_emit_exchange_wait (PdDvm *self, PdOperation *operation, guint32 flags);

/* Operations that are started, and not waited for yet. */
GHashTable *pd_dvm_started_new (void);
/* (nullable) (transfer none) */
PdOperation *pd_dvm_started_get (PdDvm *self, PdObjectKind kind, gint64 id);
/* @family: of a star; NULL: an exchange. */
void pd_dvm_started_add (PdDvm *self, PdObjectKind kind, gint64 id, PdOperation *operation,
                         PdCommFamily *family);
/* Waits for the operation of a group. Returns FALSE if there is none. */
gboolean pd_dvm_started_wait (PdDvm *self, PdObjectKind kind, gint64 id);
/* Nobody will wait for it any more, or for any: a star is finished now, as
 * half of its messages are sent by the waiting. */
void pd_dvm_started_settle (PdDvm *self, PdObjectKind kind, gint64 id);
void pd_dvm_started_finish (PdDvm *self);

/* The group 'ShadowGroupRef' names, or an error. */
const PdShadowGroup *pd_dvm_need_shadow (PdDvm *self, gint64 *id, GError **error);
/* Releases what a PdShadowArray refers to. */
void pd_dvm_shadow_array_clear (gpointer array);
/* Starts the exchange of a group, to be waited for by its @id. */
void pd_dvm_shadow_start (PdDvm *self, const PdShadowGroup *group, gint64 id);
gboolean pd_dvm_crtshg (PdDvm *self, GError **error);
gboolean pd_dvm_rstshg (PdDvm *self, GError **error);
gboolean pd_dvm_inssh (PdDvm *self, GError **error);
gboolean pd_dvm_strtsh (PdDvm *self, GError **error);
gboolean pd_dvm_waitsh (PdDvm *self, GError **error);
gboolean pd_dvm_bsynch (PdDvm *self, GError **error);

/* ---- pd-dvm-reduction.c */

gboolean pd_dvm_crtred (PdDvm *self, GError **error);
gboolean pd_dvm_crtrg (PdDvm *self, GError **error);
gboolean pd_dvm_insred (PdDvm *self, GError **error);
gboolean pd_dvm_rstrg (PdDvm *self, GError **error);
gboolean pd_dvm_strtrd (PdDvm *self, GError **error);
gboolean pd_dvm_waitrd (PdDvm *self, GError **error);

/* Bytes of an element of a type that crtred_ knows by number; 0: unknown. */
gint64 pd_dvm_get_type_bytes (gint64 type);

/* ---- pd-dvm-consistent.c */

gboolean pd_dvm_strtac (PdDvm *self, GError **error);
gboolean pd_dvm_crtcg (PdDvm *self, GError **error);
gboolean pd_dvm_inscg (PdDvm *self, GError **error);
gboolean pd_dvm_strtcg (PdDvm *self, GError **error);
gboolean pd_dvm_rstcg (PdDvm *self, GError **error);
gboolean pd_dvm_delcg (PdDvm *self, GError **error);

/* ---- pd-dvm-consistent-tasks.c */

/* Abstract machines by the template that they are elements of. */
GHashTable *pd_dvm_machines_new (void);
/* The machine @id is an element of a template. */
void pd_dvm_machines_note (PdDvm *self, gint64 view_id, guint64 serial, gint64 id);
/* What consda_ or inclcg_ makes each processor of the current system send (a
 * g_rc_box); NULL: nothing, or with @error. */
gint64 *pd_dvm_count_task_parts (PdDvm *self, GError **error);

/* ---- pd-dvm-indirect.c */

gboolean pd_dvm_crtib (PdDvm *self, GError **error);
gboolean pd_dvm_loadib (PdDvm *self, GError **error);
gboolean pd_dvm_waitib (PdDvm *self, GError **error);
gboolean pd_dvm_crtig (PdDvm *self, GError **error);
gboolean pd_dvm_insib (PdDvm *self, GError **error);
gboolean pd_dvm_delig (PdDvm *self, GError **error);

/* ---- pd-dvm-messages.c */

/* Halves of shifts that wait for the other half. */
GArray *pd_dvm_shifts_new (void);
/* Completes those of a loop that ends; of 0: all. */
void pd_dvm_shifts_settle (PdDvm *self, gint64 loop);
/* acsend_ and acrecv_ */
gboolean pd_dvm_acsend (PdDvm *self, GError **error);
gboolean pd_dvm_dvmreduce (PdDvm *self, GError **error);
gboolean pd_dvm_dacsum (PdDvm *self, GError **error);

/* ---- pd-dvm-io.c */

gboolean pd_dvm_io (PdDvm *self, GError **error);
gboolean pd_dvm_biof (PdDvm *self, GError **error);
gboolean pd_dvm_eiof (PdDvm *self, GError **error);
gboolean pd_dvm_srmem (PdDvm *self, GError **error);

/* ---- pd-dvm-intervals.c */

/* Follows an interval record without charging anything. Returns whether an
 * interval was entered; the current one is self->node. */
gboolean pd_dvm_interval_move (PdDvm *self);
/* Whether the interval of @node, which is not the root, is open. */
gboolean pd_dvm_interval_is_open (const PdDvm *self, guint32 node);
gboolean pd_dvm_interval (PdDvm *self, GError **error);
/* Closes what was opened in the current task, with warnings. */
void pd_dvm_interval_leave_task (PdDvm *self, gboolean at_end);
void pd_dvm_interval_finish (PdDvm *self);
GArray *pd_dvm_interval_stack_new (void);

/* ---- pd-dvm-several.c: the interpreter reads and charges through these where
 * self->several is not NULL */

PdDvmSeveral *pd_dvm_several_new (const PdDvmHost *host);
void pd_dvm_several_free (PdDvmSeveral *several);
/* As pd_dvm_read(): the next call of all processors. */
gboolean pd_dvm_several_read (PdDvm *self, GError **error);
/* Ordinary time that the file of each processor has: @times are by file. */
void pd_dvm_several_charge (PdDvm *self, const PdTime *times);
/* The call_ or ret_ times of the current call, by file. */
const PdTime *pd_dvm_several_get_times (const PdDvm *self, gboolean is_ret);
guint pd_dvm_several_get_n (const PdDvm *self);
/* The grid that was recorded. */
PdGrid *pd_dvm_several_get_grid (const PdDvm *self);
/* Whether each simulated processor has the times of its own file. */
gboolean pd_dvm_several_have_own (const PdDvm *self);
/* Whether the recorded dopl_ of the loop under way contain waiting. */
gboolean pd_dvm_several_wait_in_dopl (const PdDvm *self);
/* From here to the leaving, reading goes on in the file of @number alone, whose
 * call becomes the current one; then that of processor 0 is again. */
void pd_dvm_several_visit (PdDvm *self, guint number);
void pd_dvm_several_leave (PdDvm *self);

/* ---- pd-dvm-several-loop.c: what the files give to one loop */

typedef struct
{
  guint n;
  GArray **shares;   /* (array length=n): PdLoopShare; NULL: without portions */
  PdTime *services;  /* (array length=n): inside dopl_ */
  PdRecords records; /* of processor 0 */
} PdFileShares;

PdFileShares *pd_file_shares_new (guint n);
void pd_file_shares_free (PdFileShares *self);
gboolean pd_file_shares_has_any (const PdFileShares *self);
/* The sums over the files, by interval. */
GArray *pd_file_shares_merge (const PdFileShares *self);
/* A loop that is not split: @merged is ordinary time of those who spent it. */
void pd_dvm_several_charge_shares (PdDvm *self, const GArray *merged, const PdFileShares *files);
/* Makes @work, whose shares are merged, what the processors of the predicted
 * grid have to do. */
void pd_dvm_several_divide (PdDvm *self, PdLoopWork *work, const PdFileShares *files);

G_END_DECLS

#endif
