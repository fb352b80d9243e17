/* The interpreter's core: the table of modelled functions, and reading call after
 * call until there is a step.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm.h"
#include "predictor/common/pd-counts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/handlers/pd-dvm-across-private.h"
#include "predictor/dvm/handlers/pd-dvm-array-calls-private.h"
#include "predictor/dvm/handlers/pd-dvm-bounds-private.h"
#include "predictor/dvm/handlers/pd-dvm-consistent-private.h"
#include "predictor/dvm/handlers/pd-dvm-copies-private.h"
#include "predictor/dvm/handlers/pd-dvm-deletion-private.h"
#include "predictor/dvm/handlers/pd-dvm-edges-private.h"
#include "predictor/dvm/handlers/pd-dvm-grid-calls-private.h"
#include "predictor/dvm/handlers/pd-dvm-indirect-private.h"
#include "predictor/dvm/handlers/pd-dvm-io-private.h"
#include "predictor/dvm/handlers/pd-dvm-loops-private.h"
#include "predictor/dvm/handlers/pd-dvm-messages-private.h"
#include "predictor/dvm/handlers/pd-dvm-redistribution-private.h"
#include "predictor/dvm/handlers/pd-dvm-reduction-private.h"
#include "predictor/dvm/handlers/pd-dvm-remote-groups-private.h"
#include "predictor/dvm/handlers/pd-dvm-remote-private.h"
#include "predictor/dvm/handlers/pd-dvm-shadow-private.h"
#include "predictor/dvm/handlers/pd-dvm-tasks-private.h"
#include "predictor/dvm/handlers/pd-dvm-view-calls-private.h"
#include "predictor/dvm/handlers/pd-dvm-weights-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-intervals.h"
#include "predictor/dvm/model/pd-dvm-machines.h"
#include "predictor/dvm/model/pd-dvm-multi-file.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- modelled functions */

static const PdDvmHandlers handlers = {
  .rows = {
    /* processor systems, abstract machines, templates */
    [PD_DVM_getps_] = { PD_DVM_OBJECTS, pd_dvm_getps },
    [PD_DVM_crtps_] = { PD_DVM_OBJECTS, pd_dvm_crtps },
    [PD_DVM_psview_] = { PD_DVM_OBJECTS, pd_dvm_psview },
    [PD_DVM_getam_] = { PD_DVM_OBJECTS, pd_dvm_getam },
    [PD_DVM_getamr_] = { PD_DVM_OBJECTS, pd_dvm_getamr },
    [PD_DVM_mapam_] = { PD_DVM_MESSAGES, pd_dvm_mapam },
    [PD_DVM_runam_] = { PD_DVM_ITSELF, pd_dvm_runam },
    [PD_DVM_stopam_] = { PD_DVM_ITSELF, pd_dvm_stopam },
    [PD_DVM_crtamv_] = { PD_DVM_OBJECTS, pd_dvm_crtamv },
    [PD_DVM_blkdiv_] = { PD_DVM_OBJECTS, pd_dvm_blkdiv },
    [PD_DVM_distr_] = { PD_DVM_OBJECTS, pd_dvm_distr },
    [PD_DVM_mdistr_] = { PD_DVM_OBJECTS, pd_dvm_mdistr },
    [PD_DVM_amvmap_] = { PD_DVM_OBJECTS, pd_dvm_amvmap },
    [PD_DVM_redis_] = { PD_DVM_MESSAGES, pd_dvm_redis },
    [PD_DVM_mredis_] = { PD_DVM_MESSAGES, pd_dvm_redis },
    [PD_DVM_setelw_] = { PD_DVM_OBJECTS, pd_dvm_setelw },
    [PD_DVM_setpsw_] = { PD_DVM_OBJECTS, pd_dvm_setpsw },
    [PD_DVM_genblk_] = { PD_DVM_OBJECTS, pd_dvm_genblk },
    [PD_DVM_gettar_] = { PD_DVM_MESSAGES, pd_dvm_gettar },
    /* arrays */
    [PD_DVM_crtda_] = { PD_DVM_OBJECTS, pd_dvm_crtda },
    [PD_DVM_align_] = { PD_DVM_OBJECTS, pd_dvm_align },
    [PD_DVM_addhdr_] = { PD_DVM_OBJECTS, pd_dvm_addhdr },
    [PD_DVM_arrmap_] = { PD_DVM_OBJECTS, pd_dvm_arrmap },
    [PD_DVM_malign_] = { PD_DVM_OBJECTS, pd_dvm_malign },
    [PD_DVM_realn_] = { PD_DVM_MESSAGES, pd_dvm_realn },
    [PD_DVM_mrealn_] = { PD_DVM_MESSAGES, pd_dvm_malign },
    [PD_DVM_crtrda_] = { PD_DVM_OBJECTS, pd_dvm_crtda },
    [PD_DVM_crtrbl_] = { PD_DVM_OBJECTS, pd_dvm_crtrb },
    [PD_DVM_crtrba_] = { PD_DVM_OBJECTS, pd_dvm_crtrb },
    [PD_DVM_crtrbp_] = { PD_DVM_OBJECTS, pd_dvm_crtrb },
    [PD_DVM_crtibl_] = { PD_DVM_OBJECTS, pd_dvm_crtib },
    [PD_DVM_crtib_] = { PD_DVM_OBJECTS, pd_dvm_crtib },
    /* deletion and contexts */
    [PD_DVM_delobj_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delps_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delamv_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delda_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delred_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delrg_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delshg_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delrb_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delib_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delbg_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delmvm_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_delarm_] = { PD_DVM_OBJECTS, pd_dvm_delete_object },
    [PD_DVM_begbl_] = { PD_DVM_OBJECTS, pd_dvm_begbl },
    [PD_DVM_endbl_] = { PD_DVM_OBJECTS, pd_dvm_endbl },
    /* copies, buffers, consistent arrays */
    [PD_DVM_arrcpy_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_aarrcp_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_waitcp_] = { PD_DVM_COPIES, pd_dvm_waitcp },
    [PD_DVM_rwelm_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_arwelm_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_copelm_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_acopel_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_elmcpy_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_aelmcp_] = { PD_DVM_COPIES, pd_dvm_copy },
    [PD_DVM_dacsum_] = { PD_DVM_MESSAGES, pd_dvm_dacsum },
    [PD_DVM_loadrb_] = { PD_DVM_COPIES, pd_dvm_loadrb },
    [PD_DVM_waitrb_] = { PD_DVM_COPIES, pd_dvm_waitrb },
    [PD_DVM_crtbg_] = { PD_DVM_OBJECTS, pd_dvm_crtbg },
    [PD_DVM_insrb_] = { PD_DVM_OBJECTS, pd_dvm_insrb },
    [PD_DVM_rstbg_] = { PD_DVM_OBJECTS, pd_dvm_rstbg },
    [PD_DVM_loadbg_] = { PD_DVM_COPIES, pd_dvm_loadbg },
    [PD_DVM_waitbg_] = { PD_DVM_COPIES, pd_dvm_waitbg },
    [PD_DVM_rmkind_] = { PD_DVM_OBJECTS, pd_dvm_rmkind },
    [PD_DVM_loadib_] = { PD_DVM_MESSAGES, pd_dvm_loadib },
    [PD_DVM_waitib_] = { PD_DVM_MESSAGES, pd_dvm_waitib },
    [PD_DVM_crtig_] = { PD_DVM_OBJECTS, pd_dvm_crtig },
    [PD_DVM_insib_] = { PD_DVM_OBJECTS, pd_dvm_insib },
    [PD_DVM_loadig_] = { PD_DVM_MESSAGES, pd_dvm_loadib },
    [PD_DVM_waitig_] = { PD_DVM_MESSAGES, pd_dvm_waitib },
    [PD_DVM_delig_] = { PD_DVM_OBJECTS, pd_dvm_delig },
    [PD_DVM_strtac_] = { PD_DVM_MESSAGES, pd_dvm_strtac },
    [PD_DVM_crtcg_] = { PD_DVM_OBJECTS, pd_dvm_crtcg },
    [PD_DVM_inscg_] = { PD_DVM_OBJECTS, pd_dvm_inscg },
    [PD_DVM_inclcg_] = { PD_DVM_OBJECTS, pd_dvm_inscg },
    [PD_DVM_strtcg_] = { PD_DVM_MESSAGES, pd_dvm_strtcg },
    [PD_DVM_rstcg_] = { PD_DVM_OBJECTS, pd_dvm_rstcg },
    [PD_DVM_delcg_] = { PD_DVM_OBJECTS, pd_dvm_delcg },
    [PD_DVM_consda_] = { PD_DVM_MESSAGES, pd_dvm_strtac },
    /* loops */
    [PD_DVM_crtpl_] = { PD_DVM_OBJECTS, pd_dvm_crtpl },
    [PD_DVM_mappl_] = { PD_DVM_OBJECTS, pd_dvm_mappl },
    [PD_DVM_dopl_] = { PD_DVM_ITSELF, pd_dvm_dopl },
    [PD_DVM_endpl_] = { PD_DVM_OBJECTS, pd_dvm_endpl },
    [PD_DVM_exfrst_] = { PD_DVM_OBJECTS, pd_dvm_exfrst },
    [PD_DVM_imlast_] = { PD_DVM_OBJECTS, pd_dvm_imlast },
    [PD_DVM_across_] = { PD_DVM_MESSAGES, pd_dvm_across },
    [PD_DVM_doacr_] = { PD_DVM_MESSAGES, pd_dvm_doacr },
    [PD_DVM_addbnd_] = { PD_DVM_OBJECTS, pd_dvm_addbnd },
    [PD_DVM_addshd_] = { PD_DVM_OBJECTS, pd_dvm_addshd },
    [PD_DVM_setba_] = { PD_DVM_OBJECTS, pd_dvm_setba },
    [PD_DVM_rstba_] = { PD_DVM_OBJECTS, pd_dvm_setba },
    /* reductions */
    [PD_DVM_crtred_] = { PD_DVM_OBJECTS, pd_dvm_crtred },
    [PD_DVM_crtrg_] = { PD_DVM_OBJECTS, pd_dvm_crtrg },
    [PD_DVM_insred_] = { PD_DVM_OBJECTS, pd_dvm_insred },
    [PD_DVM_rstrg_] = { PD_DVM_OBJECTS, pd_dvm_rstrg },
    [PD_DVM_strtrd_] = { PD_DVM_MESSAGES, pd_dvm_strtrd },
    [PD_DVM_waitrd_] = { PD_DVM_MESSAGES, pd_dvm_waitrd },
    /* shadow edges */
    [PD_DVM_crtshg_] = { PD_DVM_OBJECTS, pd_dvm_crtshg },
    [PD_DVM_rstshg_] = { PD_DVM_OBJECTS, pd_dvm_rstshg },
    [PD_DVM_inssh_] = { PD_DVM_OBJECTS, pd_dvm_inssh },
    [PD_DVM_insshd_] = { PD_DVM_OBJECTS, pd_dvm_inssh },
    [PD_DVM_incsh_] = { PD_DVM_OBJECTS, pd_dvm_inssh },
    [PD_DVM_incshd_] = { PD_DVM_OBJECTS, pd_dvm_inssh },
    [PD_DVM_strtsh_] = { PD_DVM_MESSAGES, pd_dvm_strtsh },
    [PD_DVM_waitsh_] = { PD_DVM_MESSAGES, pd_dvm_waitsh },
    [PD_DVM_recvsh_] = { PD_DVM_MESSAGES, pd_dvm_half },
    [PD_DVM_sendsh_] = { PD_DVM_MESSAGES, pd_dvm_half },
    [PD_DVM_recvla_] = { PD_DVM_MESSAGES, pd_dvm_half },
    [PD_DVM_sendsa_] = { PD_DVM_MESSAGES, pd_dvm_half },
    [PD_DVM_acsend_] = { PD_DVM_MESSAGES, pd_dvm_acsend },
    [PD_DVM_acrecv_] = { PD_DVM_MESSAGES, pd_dvm_acsend },
    /* barriers, messages of the program */
    [PD_DVM_bsynch_] = { PD_DVM_MESSAGES, pd_dvm_bsynch },
    [PD_DVM_tsynch_] = { PD_DVM_MESSAGES, pd_dvm_bsynch },
    [PD_DVM_dvmsend_] = { PD_DVM_PARTIAL, NULL },
    [PD_DVM_dvmrecv_] = { PD_DVM_PARTIAL, NULL },
    [PD_DVM_dvmsendrecv_] = { PD_DVM_PARTIAL, NULL },
    [PD_DVM_dvmreduce_] = { PD_DVM_MESSAGES, pd_dvm_dvmreduce },
    /* input and output */
    [PD_DVM_biof_] = { PD_DVM_ITSELF, pd_dvm_biof },
    [PD_DVM_eiof_] = { PD_DVM_ITSELF, pd_dvm_eiof },
    [PD_DVM_srmem_] = { PD_DVM_MESSAGES, pd_dvm_srmem },
    /* intervals */
    [PD_DVM_bsloop_] = { PD_DVM_ITSELF, pd_dvm_interval },
    [PD_DVM_bploop_] = { PD_DVM_ITSELF, pd_dvm_interval },
    [PD_DVM_binter_] = { PD_DVM_ITSELF, pd_dvm_interval },
    [PD_DVM_enloop_] = { PD_DVM_ITSELF, pd_dvm_interval },
    [PD_DVM_einter_] = { PD_DVM_ITSELF, pd_dvm_interval },
  },
  .io = pd_dvm_io,
  .forget = {
    [PD_KIND_GRID] = pd_dvm_forget_grid,
    [PD_KIND_VIEW] = pd_dvm_forget_view,
    [PD_KIND_ARRAY] = pd_dvm_forget_array,
    [PD_KIND_BUFGROUP] = pd_dvm_forget_buffer_group,
  },
};

/* ---- interpreting */

/* The last step: whatever time is left. */
static void
finish (PdDvm *self)
{
  if (self->options->change != NULL)
    self->options->change->settle (self);
  pd_dvm_tasks_finish (self);
  self->in_io = FALSE;
  pd_dvm_shifts_settle (self, 0);
  pd_dvm_started_finish (self);
  pd_dvm_interval_finish (self);
  pd_dvm_weights_finish (self);
  pd_dvm_emit (self, PD_STEP_KIND_NONE);
  self->is_finished = TRUE;
}

static gboolean
stop (PdDvm *self, GError *local, GError **error)
{
  self->is_finished = TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
interpret (gpointer interpreter, PdDataServer *server, GError **error)
{
  PdDvm *self = interpreter;
  guint64 before = pd_data_server_get_n_steps (server);

  self->server = server;
  /* where a task ends is known when its first step is: others skip it */
  while (pd_data_server_get_n_steps (server) == before || self->n_partial > 0)
    {
      GError *local = NULL;
      if (self->is_finished)
        return FALSE;
      if (!pd_dvm_read (self, &local) || self->call->function == PD_DVM_Event_dvm_exit)
        {
          if (local != NULL)
            return stop (self, local, error);
          if (!self->at_end)
            pd_dvm_charge_call (self);
          finish (self);
          return TRUE;
        }
      if (!pd_dvm_interpret_call (self, &local))
        return stop (self, local, error);
    }
  return TRUE;
}

static const PdInterpreterClass interpreter_class = {
  .step_size = sizeof (PdStepDvm),
  .interpret = interpret,
  .clear_step = pd_step_clear,
};

const PdInterpreterClass *
pd_dvm_get_class (void)
{
  return &interpreter_class;
}

/* ---- life */

/* The table with the handlers of a change in it. */
static void
apply_change (PdDvm *self)
{
  PdDvmHandlers *changed = g_new (PdDvmHandlers, 1);

  *changed = handlers;
  self->options->change->apply (changed);
  self->handlers = changed;
  self->held = g_ptr_array_new_with_free_func (self->options->change->free_held);
}

static void
forget_change (PdDvm *self)
{
  if (self->options->change == NULL)
    return;
  g_free ((gpointer) self->handlers);
  g_ptr_array_unref (self->held);
}

PdDvm *
pd_dvm_new (const PdDvmContext *context, const PdDvmOptions *options)
{
  GDestroyNotify unrefs[PD_N_KINDS];
  PdDvm *self = g_new0 (PdDvm, 1);

  for (guint i = 0; i < PD_N_KINDS; i++)
    unrefs[i] = i == PD_KIND_GRID ? (GDestroyNotify) pd_team_unref : pd_object_unref;
  self->reader = context->reader;
  self->call = &self->current;
  self->messages = context->messages;
  self->comsys = context->comsys;
  self->tree = context->tree;
  self->options = options;
  self->handlers = self->plain = &handlers;
  if (options->change != NULL)
    apply_change (self);
  self->objects = pd_objects_new (unrefs, PD_N_KINDS);
  self->n_speeds = context->n_speeds;
  self->speeds = context->speeds;
  self->speed_of = context->speed_of;
  self->ratios = context->ratios;
  self->models_files = context->models_files;
  self->cache_size = context->cache_size;
  self->cache_sharing = context->cache_sharing;
  self->separate = context->separate;
  self->pending = g_new0 (PdTime, self->n_speeds);
  pd_dvm_contexts_init (self);
  pd_dvm_weights_init (self);
  pd_dvm_placed_init (self);
  self->open = pd_dvm_interval_stack_new ();
  self->tasks = pd_dvm_tasks_new ();
  self->machines = pd_dvm_machines_new ();
  self->started = pd_dvm_started_new ();
  if (context->scatters)
    self->scatters = pd_scatters_new ();
  self->across = pd_dvm_across_new ();
  self->bounds = pd_dvm_bounds_new ();
  self->shifts = pd_dvm_shifts_new ();
  self->families = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_comm_family_unref);
  self->traced_processors =
      MAX (pd_dvm_reader_get_header (context->reader)->vproc_count, (gint64) context->n_others + 1);
  if (context->n_others > 0)
    self->multi = pd_dvm_multi_new (context);
  if (context->own_times)
    self->own = g_new0 (PdTime, self->n_speeds);
  self->is_first = TRUE;
  self->team = self->initial = pd_team_new (self, pd_grid_ref (context->grid));
  pd_dvm_context_open (self, 0);
  self->context_base = 1;
  return self;
}

void
pd_dvm_free (PdDvm *self)
{
  if (self == NULL)
    return;
  forget_change (self);
  pd_objects_free (self->objects);
  pd_dvm_contexts_clear (self);
  pd_dvm_weights_clear (self);
  pd_dvm_tasks_clear (self);
  pd_dvm_placed_clear (self);
  g_array_unref (self->open);
  pd_scatters_free (self->scatters);
  g_hash_table_unref (self->started);
  g_hash_table_unref (self->machines);
  pd_dvm_across_free (self->across);
  g_free (self->bounds);
  g_array_unref (self->shifts);
  g_ptr_array_unref (self->families);
  pd_team_unref (self->initial);
  pd_dvm_multi_free (self->multi);
  g_free (self->own);
  g_free (self->pending);
  g_free (self);
}

PdObjects *
pd_dvm_get_objects (PdDvm *self)
{
  return self->objects;
}

PdTime
pd_dvm_get_startup (const PdDvm *self)
{
  return self->startup;
}

/* ---- the rank rule */

static gboolean
check_virtual (const PdDvmHeader *header, guint rank, const gint64 *sizes, GError **error)
{
  gboolean same = TRUE;

  for (guint d = 0; d < MAX (rank, header->vps_rank); d++)
    same = same && (d < rank ? sizes[d] : 1) == (d < header->vps_rank ? header->vps_size[d] : 1);
  if (same)
    return TRUE;
  g_autofree char *wanted = pd_sizes_format (header->vps_size, header->vps_rank);
  g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_GRID,
               "the trace was recorded for the virtual processor system %s and can only be "
               "predicted for that",
               wanted);
  return FALSE;
}

gboolean
pd_dvm_pad_grid (const PdDvmHeader *header, guint *rank, gint64 *sizes, PdMessages *messages,
                 GError **error)
{
  if (header->vproc_count > 0 && !check_virtual (header, *rank, sizes, error))
    return FALSE;
  guint wanted = MIN (MAX (header->ps_rank, header->vps_rank), PD_MAX_GRID_RANK);
  if (wanted > *rank)
    pd_messages_add (messages, PD_SEVERITY_NOTE, "grid-padded", NULL, NULL,
                     "the processor grid is padded with sizes of 1 to rank %u, the rank the "
                     "trace was recorded with",
                     wanted);
  while (*rank < wanted)
    sizes[(*rank)++] = 1;
  return TRUE;
}
