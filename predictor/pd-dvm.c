/* The interpreter's core: the table of what is modelled, and reading call after
 * call until there is a step.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-counts.h"
#include "predictor/pd-dvm-private.h"

G_DEFINE_QUARK (pd_dvm_model_error_quark, pd_dvm_model_error)

/* ---- messages */

void
pd_dvm_warn (PdDvm *self, const char *id, const char *subject, const char *format, ...)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  pd_messages_add (self->messages, PD_SEVERITY_WARNING, id, subject, &place, "%s", text);
}

gboolean
pd_dvm_fail (PdDvm *self, GError **error, int code, const char *format, ...)
{
  PdPlace place = pd_dvm_reader_get_place (self->reader);
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, PD_DVM_MODEL_ERROR, code,
               "%s:%" G_GINT64_FORMAT ": call_%s (%s:%" G_GINT64_FORMAT "): %s",
               place.file != NULL ? place.file : "trace", place.line, self->call->name,
               self->call->file, self->call->line, text);
  return FALSE;
}

/* ---- what is modelled */

/* How a function is interpreted. */
typedef enum
{
  ORDINARY, /* only its times */
  PARTIAL,  /* ordinary, though it has effects that are not modelled: warned of */
  OBJECTS,  /* changes objects; times are ordinary */
  MESSAGES, /* sends messages between its two times, which are ordinary */
  COPIES,   /* the same, but its second time is copying, which it charges by itself */
  ITSELF,   /* charges by itself */
} Manner;

static const struct
{
  Manner manner;
  PdDvmHandler handle;
} functions[PD_DVM_N_FUNCTIONS] = {
  /* processor systems, abstract machines, templates */
  [PD_DVM_getps_] = { OBJECTS, pd_dvm_getps },
  [PD_DVM_crtps_] = { OBJECTS, pd_dvm_crtps },
  [PD_DVM_psview_] = { OBJECTS, pd_dvm_psview },
  [PD_DVM_getam_] = { OBJECTS, pd_dvm_getam },
  [PD_DVM_getamr_] = { OBJECTS, pd_dvm_getamr },
  [PD_DVM_mapam_] = { MESSAGES, pd_dvm_mapam },
  [PD_DVM_runam_] = { ITSELF, pd_dvm_runam },
  [PD_DVM_stopam_] = { ITSELF, pd_dvm_stopam },
  [PD_DVM_crtamv_] = { OBJECTS, pd_dvm_crtamv },
  [PD_DVM_blkdiv_] = { OBJECTS, pd_dvm_blkdiv },
  [PD_DVM_distr_] = { OBJECTS, pd_dvm_distr },
  [PD_DVM_mdistr_] = { OBJECTS, pd_dvm_mdistr },
  [PD_DVM_amvmap_] = { OBJECTS, pd_dvm_amvmap },
  [PD_DVM_redis_] = { MESSAGES, pd_dvm_redis },
  [PD_DVM_mredis_] = { MESSAGES, pd_dvm_redis },
  [PD_DVM_setelw_] = { OBJECTS, pd_dvm_setelw },
  [PD_DVM_setpsw_] = { OBJECTS, pd_dvm_setpsw },
  [PD_DVM_genblk_] = { OBJECTS, pd_dvm_genblk },
  [PD_DVM_gettar_] = { MESSAGES, pd_dvm_gettar },
  /* arrays */
  [PD_DVM_crtda_] = { OBJECTS, pd_dvm_crtda },
  [PD_DVM_align_] = { OBJECTS, pd_dvm_align },
  [PD_DVM_addhdr_] = { OBJECTS, pd_dvm_addhdr },
  [PD_DVM_arrmap_] = { OBJECTS, pd_dvm_arrmap },
  [PD_DVM_malign_] = { OBJECTS, pd_dvm_malign },
  [PD_DVM_realn_] = { MESSAGES, pd_dvm_realn },
  [PD_DVM_mrealn_] = { MESSAGES, pd_dvm_malign },
  [PD_DVM_crtrda_] = { OBJECTS, pd_dvm_crtda },
  [PD_DVM_crtrbl_] = { OBJECTS, pd_dvm_crtrb },
  [PD_DVM_crtrba_] = { OBJECTS, pd_dvm_crtrb },
  [PD_DVM_crtrbp_] = { OBJECTS, pd_dvm_crtrb },
  [PD_DVM_crtibl_] = { OBJECTS, pd_dvm_crtib },
  [PD_DVM_crtib_] = { OBJECTS, pd_dvm_crtib },
  /* deletion and contexts */
  [PD_DVM_delobj_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delps_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delamv_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delda_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delred_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delrg_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delshg_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delrb_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delib_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delbg_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delmvm_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_delarm_] = { OBJECTS, pd_dvm_delete_object },
  [PD_DVM_begbl_] = { OBJECTS, pd_dvm_begbl },
  [PD_DVM_endbl_] = { OBJECTS, pd_dvm_endbl },
  /* copies, buffers, consistent arrays */
  [PD_DVM_arrcpy_] = { COPIES, pd_dvm_copy },
  [PD_DVM_aarrcp_] = { COPIES, pd_dvm_copy },
  [PD_DVM_waitcp_] = { COPIES, pd_dvm_waitcp },
  [PD_DVM_rwelm_] = { COPIES, pd_dvm_copy },
  [PD_DVM_arwelm_] = { COPIES, pd_dvm_copy },
  [PD_DVM_copelm_] = { COPIES, pd_dvm_copy },
  [PD_DVM_acopel_] = { COPIES, pd_dvm_copy },
  [PD_DVM_elmcpy_] = { COPIES, pd_dvm_copy },
  [PD_DVM_aelmcp_] = { COPIES, pd_dvm_copy },
  [PD_DVM_dacsum_] = { MESSAGES, pd_dvm_dacsum },
  [PD_DVM_loadrb_] = { COPIES, pd_dvm_loadrb },
  [PD_DVM_waitrb_] = { COPIES, pd_dvm_waitrb },
  [PD_DVM_crtbg_] = { OBJECTS, pd_dvm_crtbg },
  [PD_DVM_insrb_] = { OBJECTS, pd_dvm_insrb },
  [PD_DVM_rstbg_] = { OBJECTS, pd_dvm_rstbg },
  [PD_DVM_loadbg_] = { COPIES, pd_dvm_loadbg },
  [PD_DVM_waitbg_] = { COPIES, pd_dvm_waitbg },
  [PD_DVM_rmkind_] = { OBJECTS, pd_dvm_rmkind },
  [PD_DVM_loadib_] = { MESSAGES, pd_dvm_loadib },
  [PD_DVM_waitib_] = { MESSAGES, pd_dvm_waitib },
  [PD_DVM_crtig_] = { OBJECTS, pd_dvm_crtig },
  [PD_DVM_insib_] = { OBJECTS, pd_dvm_insib },
  [PD_DVM_loadig_] = { MESSAGES, pd_dvm_loadib },
  [PD_DVM_waitig_] = { MESSAGES, pd_dvm_waitib },
  [PD_DVM_delig_] = { OBJECTS, pd_dvm_delig },
  [PD_DVM_strtac_] = { MESSAGES, pd_dvm_strtac },
  [PD_DVM_crtcg_] = { OBJECTS, pd_dvm_crtcg },
  [PD_DVM_inscg_] = { OBJECTS, pd_dvm_inscg },
  [PD_DVM_inclcg_] = { OBJECTS, pd_dvm_inscg },
  [PD_DVM_strtcg_] = { MESSAGES, pd_dvm_strtcg },
  [PD_DVM_rstcg_] = { OBJECTS, pd_dvm_rstcg },
  [PD_DVM_delcg_] = { OBJECTS, pd_dvm_delcg },
  [PD_DVM_consda_] = { MESSAGES, pd_dvm_strtac },
  /* loops */
  [PD_DVM_crtpl_] = { OBJECTS, pd_dvm_crtpl },
  [PD_DVM_mappl_] = { OBJECTS, pd_dvm_mappl },
  [PD_DVM_dopl_] = { ITSELF, pd_dvm_dopl },
  [PD_DVM_endpl_] = { OBJECTS, pd_dvm_endpl },
  [PD_DVM_exfrst_] = { OBJECTS, pd_dvm_exfrst },
  [PD_DVM_imlast_] = { OBJECTS, pd_dvm_imlast },
  [PD_DVM_across_] = { MESSAGES, pd_dvm_across },
  [PD_DVM_doacr_] = { MESSAGES, pd_dvm_doacr },
  [PD_DVM_addbnd_] = { OBJECTS, pd_dvm_addbnd },
  [PD_DVM_addshd_] = { OBJECTS, pd_dvm_addshd },
  [PD_DVM_setba_] = { OBJECTS, pd_dvm_setba },
  [PD_DVM_rstba_] = { OBJECTS, pd_dvm_setba },
  /* reductions */
  [PD_DVM_crtred_] = { OBJECTS, pd_dvm_crtred },
  [PD_DVM_crtrg_] = { OBJECTS, pd_dvm_crtrg },
  [PD_DVM_insred_] = { OBJECTS, pd_dvm_insred },
  [PD_DVM_rstrg_] = { OBJECTS, pd_dvm_rstrg },
  [PD_DVM_strtrd_] = { MESSAGES, pd_dvm_strtrd },
  [PD_DVM_waitrd_] = { MESSAGES, pd_dvm_waitrd },
  /* shadow edges */
  [PD_DVM_crtshg_] = { OBJECTS, pd_dvm_crtshg },
  [PD_DVM_rstshg_] = { OBJECTS, pd_dvm_rstshg },
  [PD_DVM_inssh_] = { OBJECTS, pd_dvm_inssh },
  [PD_DVM_insshd_] = { OBJECTS, pd_dvm_inssh },
  [PD_DVM_incsh_] = { OBJECTS, pd_dvm_inssh },
  [PD_DVM_incshd_] = { OBJECTS, pd_dvm_inssh },
  [PD_DVM_strtsh_] = { MESSAGES, pd_dvm_strtsh },
  [PD_DVM_waitsh_] = { MESSAGES, pd_dvm_waitsh },
  [PD_DVM_recvsh_] = { MESSAGES, pd_dvm_half },
  [PD_DVM_sendsh_] = { MESSAGES, pd_dvm_half },
  [PD_DVM_recvla_] = { MESSAGES, pd_dvm_half },
  [PD_DVM_sendsa_] = { MESSAGES, pd_dvm_half },
  [PD_DVM_acsend_] = { MESSAGES, pd_dvm_acsend },
  [PD_DVM_acrecv_] = { MESSAGES, pd_dvm_acsend },
  /* barriers, messages of the program */
  [PD_DVM_bsynch_] = { MESSAGES, pd_dvm_bsynch },
  [PD_DVM_tsynch_] = { MESSAGES, pd_dvm_bsynch },
  [PD_DVM_dvmsend_] = { PARTIAL, NULL },
  [PD_DVM_dvmrecv_] = { PARTIAL, NULL },
  [PD_DVM_dvmsendrecv_] = { PARTIAL, NULL },
  [PD_DVM_dvmreduce_] = { MESSAGES, pd_dvm_dvmreduce },
  /* input and output */
  [PD_DVM_biof_] = { ITSELF, pd_dvm_biof },
  [PD_DVM_eiof_] = { ITSELF, pd_dvm_eiof },
  [PD_DVM_srmem_] = { MESSAGES, pd_dvm_srmem },
  /* intervals */
  [PD_DVM_bsloop_] = { ITSELF, pd_dvm_interval },
  [PD_DVM_bploop_] = { ITSELF, pd_dvm_interval },
  [PD_DVM_binter_] = { ITSELF, pd_dvm_interval },
  [PD_DVM_enloop_] = { ITSELF, pd_dvm_interval },
  [PD_DVM_einter_] = { ITSELF, pd_dvm_interval },
};

static Manner
manner_of (PdDvmFunction function, PdDvmHandler *handle)
{
  *handle = functions[function].handle;
  if (functions[function].manner == ORDINARY
      && pd_dvm_function_get_class (function) == PD_DVM_CLASS_IO)
    {
      *handle = pd_dvm_io;
      return ITSELF;
    }
  return functions[function].manner;
}

gboolean
pd_dvm_is_ordinary (PdDvmFunction function)
{
  PdDvmHandler handle;

  return manner_of (function, &handle) == ORDINARY && handle == NULL;
}

gboolean
pd_dvm_is_simulated (PdDvmFunction function)
{
  return functions[function].manner != ORDINARY && functions[function].manner != PARTIAL;
}

static void
warn_partial (PdDvm *self)
{
  pd_dvm_warn (self, "charged-as-ordinary", self->call->name,
               "what '%s' does between processors is not modelled: charged as an ordinary function",
               self->call->name);
}

/* Dynamic control takes time that the program proper does not. */
static void
warn_debugging (PdDvm *self)
{
  if (pd_dvm_function_get_class (self->call->function) == PD_DVM_CLASS_DEB)
    pd_dvm_warn (self, "debugging-calls", NULL,
                 "the program was compiled for dynamic control (-d1 to -d4): the time of that is "
                 "in the trace and predicted, too");
}

static gboolean
interpret_call (PdDvm *self, GError **error)
{
  PdDvmHandler handle;
  Manner manner = manner_of (self->call->function, &handle);

  warn_debugging (self);
  if (manner == ITSELF)
    return handle (self, error);
  pd_dvm_charge_call (self);
  if (manner == PARTIAL)
    warn_partial (self);
  if (handle != NULL && !handle (self, error))
    return FALSE;
  if (manner != COPIES)
    pd_dvm_charge_ret (self);
  return TRUE;
}

gboolean
pd_dvm_apply_quietly (PdDvm *self, GError **error)
{
  PdDvmHandler handle;
  Manner manner = manner_of (self->call->function, &handle);

  warn_debugging (self);
  if (manner == PARTIAL)
    warn_partial (self);
  if (manner == MESSAGES || manner == COPIES || (manner == ITSELF && handle == pd_dvm_io))
    pd_dvm_warn (self, "collective-in-loop", self->call->name,
                 "'%s' inside a portion of a parallel loop: only its time is counted",
                 self->call->name);
  return (manner != OBJECTS && manner != PARTIAL) || handle == NULL || handle (self, error);
}

/* ---- reading on */

gboolean
pd_dvm_read (PdDvm *self, GError **error)
{
  const PdDvmCall *call;

  if (self->several != NULL)
    return pd_dvm_several_read (self, error);
  if (self->pushed_back)
    {
      self->pushed_back = FALSE;
      return TRUE;
    }
  if (self->at_end || !pd_dvm_reader_next (self->reader, &call, error))
    {
      self->at_end = TRUE;
      return FALSE;
    }
  self->current = *call;
  if (self->is_first)
    {
      self->is_first = FALSE;
      self->startup = call->call_time;
      if (!self->options->keep_startup)
        self->current.call_time = PD_TIME_ZERO;
    }
  return TRUE;
}

/* The last step: whatever time is left. */
static void
finish (PdDvm *self)
{
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
      if (!interpret_call (self, &local))
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

PdDvm *
pd_dvm_new (const PdDvmHost *host, const PdDvmOptions *options)
{
  GDestroyNotify unrefs[PD_N_KINDS];
  PdDvm *self = g_new0 (PdDvm, 1);

  for (guint i = 0; i < PD_N_KINDS; i++)
    unrefs[i] = i == PD_KIND_GRID ? (GDestroyNotify) pd_team_unref : pd_object_unref;
  self->reader = host->reader;
  self->call = &self->current;
  self->messages = host->messages;
  self->comsys = host->comsys;
  self->tree = host->tree;
  self->options = options;
  self->objects = pd_objects_new (unrefs, PD_N_KINDS);
  self->n_speeds = host->n_speeds;
  self->speeds = host->speeds;
  self->speed_of = host->speed_of;
  self->ratios = host->ratios;
  self->separate = host->separate;
  self->pending = g_new0 (PdTime, self->n_speeds);
  pd_dvm_contexts_init (self);
  pd_dvm_weights_init (self);
  pd_dvm_placed_init (self);
  self->open = pd_dvm_interval_stack_new ();
  self->tasks = pd_dvm_tasks_new ();
  self->machines = pd_dvm_machines_new ();
  self->started = pd_dvm_started_new ();
  self->across = pd_dvm_across_new ();
  self->bounds = pd_dvm_bounds_new ();
  self->shifts = pd_dvm_shifts_new ();
  self->families = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_comm_family_unref);
  self->traced_processors =
      MAX (pd_dvm_reader_get_header (host->reader)->vproc_count, (gint64) host->n_others + 1);
  if (host->n_others > 0)
    self->several = pd_dvm_several_new (host);
  if (host->own_times)
    self->own = g_new0 (PdTime, self->n_speeds);
  self->is_first = TRUE;
  self->team = self->initial = pd_team_new (self, pd_grid_ref (host->grid));
  pd_dvm_context_open (self, 0);
  self->context_base = 1;
  return self;
}

void
pd_dvm_free (PdDvm *self)
{
  if (self == NULL)
    return;
  pd_objects_free (self->objects);
  pd_dvm_contexts_clear (self);
  pd_dvm_weights_clear (self);
  pd_dvm_tasks_clear (self);
  pd_dvm_placed_clear (self);
  g_array_unref (self->open);
  g_hash_table_unref (self->started);
  g_hash_table_unref (self->machines);
  pd_dvm_across_free (self->across);
  g_free (self->bounds);
  g_array_unref (self->shifts);
  g_ptr_array_unref (self->families);
  pd_team_unref (self->initial);
  pd_dvm_several_free (self->several);
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
