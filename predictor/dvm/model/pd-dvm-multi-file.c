/* Runs recorded on several processors. The files hold the same calls, but each
 * has its own times, references, portions of loops, and local calls. The file
 * of processor 0, which does the input and output, is interpreted; the others
 * are read in lockstep with it, from one common call to the next, and give
 * their times. Calls between two common calls only take time.
 *
 * On the grid that was recorded each processor has the times of its file; on
 * any other the work of a loop is the sum over all of them, and other
 * computation is the mean, so that the productive time is the same on every
 * grid, including the recorded one.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-multi-file.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-manner.h"

#include <string.h>

typedef struct
{
  PdDvmReader *reader; /* borrowed */
  PdDvmCall call;      /* the call read last */
  PdTime before;       /* computation since the common call before it */
  guint64 n_local;     /* local calls since then */
  gboolean is_ready;   /* @call is a common one whose turn has not come */
  gboolean takes_part; /* in the current call */
  gboolean is_first;   /* nothing was read yet */
  gboolean pushed_back;
  gboolean at_end;
} File;

struct _PdDvmMultiFile
{
  guint n;
  File *files;
  PdGrid *grid;           /* that was recorded */
  gboolean own_times;     /* class c of the speeds is processor c, whose file is c */
  PdTime *call_times;     /* (array length=n): of the current call */
  PdTime *ret_times;      /* (array length=n) */
  gint visited;           /* file whose loop is gathered; -1: none */
  gboolean waits_in_dopl; /* the loop under way exchanges messages inside dopl_ */
};

/* ---- kinds of functions */

/* Output without a result: no other processor hears of it. */
static gboolean
is_lonely (PdDvmFunction function)
{
  return function == PD_DVM_dvm_void_printf || function == PD_DVM_dvm_void_fprintf
         || function == PD_DVM_dvm_void_vprintf || function == PD_DVM_dvm_void_vfprintf;
}

/* Calls that each processor may make or not: only their time matters. */
static gboolean
is_local (const PdDvm *self, PdDvmFunction function)
{
  PdDvmClass class = pd_dvm_function_get_class (function);

  return (class == PD_DVM_CLASS_REG || class == PD_DVM_CLASS_DEB || class == PD_DVM_CLASS_INTL
          || class == PD_DVM_CLASS_SYS)
         && function != PD_DVM_Event_dvm_exit && !pd_dvm_function_communicates (function)
         && pd_dvm_is_ordinary (self->handlers, function);
}

static gboolean
is_interval (const PdDvmCall *call)
{
  return pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_INT;
}

/* ---- reading one file */

static gboolean
next (PdDvm *self, File *file, GError **error)
{
  const PdDvmCall *call;

  if (file->pushed_back)
    {
      file->pushed_back = FALSE;
      return TRUE;
    }
  if (file->at_end || !pd_dvm_reader_next (file->reader, &call, error))
    {
      file->at_end = TRUE;
      return FALSE;
    }
  file->call = *call;
  if (file->is_first)
    {
      file->is_first = FALSE;
      if (file == self->multi->files)
        self->startup = call->call_time;
      if (!self->options->keep_startup)
        file->call.call_time = PD_TIME_ZERO;
    }
  return TRUE;
}

/* The calls read so far become time before the next common call. */
static void
pass (File *file)
{
  PdTime inside = is_lonely (file->call.function) ? PD_TIME_ZERO : file->call.ret_time;

  file->before = pd_time_add (file->before, pd_time_add (file->call.call_time, inside));
  file->is_ready = FALSE;
}

/* To the next common call; where the file leads, also to a lonely one. */
static gboolean
advance (PdDvm *self, File *file, GError **error)
{
  gboolean leads = file == self->multi->files;

  while (!file->is_ready)
    {
      if (!next (self, file, error))
        return FALSE;
      file->is_ready =
          !is_local (self, file->call.function) && (leads || !is_lonely (file->call.function));
      if (file->is_ready)
        break;
      file->n_local++;
      pass (file);
    }
  return TRUE;
}

/* ---- reading all */

static gboolean
same_call (const PdDvmCall *a, const PdDvmCall *b)
{
  if (a->function != b->function)
    return FALSE;
  return a->function == PD_DVM_Event_dvm_exit || a->line == 0 || b->line == 0
         || (a->line == b->line && strcmp (a->file, b->file) == 0);
}

static gboolean
fail_different (PdDvm *self, guint number, GError **error)
{
  const File *file = &self->multi->files[number];
  PdPlace place = pd_dvm_reader_get_place (file->reader);

  return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_RECORDED,
                      "processor %u is in %s (%s:%" G_GINT64_FORMAT ") at %s:%" G_GINT64_FORMAT
                      " instead; a run on several processors can only be predicted where all "
                      "make the same calls",
                      number, file->call.name, file->call.file, file->call.line, place.file,
                      place.line);
}

static void
warn_interval (PdDvm *self)
{
  pd_dvm_warn (self, "interval-differs", NULL,
               "some processors enter or leave an interval that others do not; it is the "
               "intervals of processor 0 that count");
}

/* Brings @number to the current call of the leading file, and finds out whether
 * it makes that call, too. FALSE at the end of its file, or with @error. */
static gboolean
follow (PdDvm *self, guint number, GError **error)
{
  File *file = &self->multi->files[number];

  file->takes_part = FALSE;
  if (is_lonely (self->current.function))
    return TRUE;
  while (advance (self, file, error))
    {
      file->takes_part = same_call (&self->current, &file->call);
      if (file->takes_part)
        return TRUE;
      if (!is_interval (&self->current) && !is_interval (&file->call))
        return fail_different (self, number, error);
      warn_interval (self);
      if (is_interval (&self->current))
        return TRUE;
      pass (file);
    }
  return FALSE;
}

/* The times of @number for the current call. */
static void
take (PdDvmMultiFile *multi, guint number)
{
  File *file = &multi->files[number];

  multi->call_times[number] = multi->ret_times[number] = PD_TIME_ZERO;
  if (!file->takes_part)
    return;
  multi->call_times[number] = pd_time_add (file->before, file->call.call_time);
  multi->ret_times[number] = file->call.ret_time;
  file->before = PD_TIME_ZERO;
  file->n_local = is_lonely (file->call.function) ? file->n_local + 1 : 0;
  file->is_ready = FALSE;
}

static void
note_local (PdDvm *self)
{
  const PdDvmMultiFile *multi = self->multi;
  PdPlace place = pd_dvm_reader_get_place (self->reader);

  for (guint i = 1; i < multi->n; i++)
    if (multi->files[i].takes_part && multi->files[i].n_local != multi->files[0].n_local)
      {
        pd_messages_add (self->messages, PD_SEVERITY_NOTE, "local-calls-differ", NULL, &place,
                         "before this call the processors made different numbers of local calls; "
                         "their times are computation");
        return;
      }
}

/* All files come to the current call of the first one. */
static gboolean
follow_all (PdDvm *self, GError **error)
{
  PdDvmMultiFile *multi = self->multi;

  multi->files[0].takes_part = TRUE;
  for (guint i = 1; i < multi->n; i++)
    if (!follow (self, i, error))
      return FALSE;
  note_local (self);
  for (guint i = 0; i < multi->n; i++)
    take (multi, i);
  return TRUE;
}

/* ---- what their times mean */

static PdTime
mean_of (const PdDvmMultiFile *multi, const PdTime *times)
{
  PdTimeSum sum = { 0 };

  for (guint i = 0; i < multi->n; i++)
    pd_time_sum_add (&sum, times[i]);
  return PD_TIME ((gint64) ((sum.ps + multi->n / 2) / multi->n));
}

/* A function that is simulated does not cost what it was measured to take:
 * that is waiting and transfer. */
static gboolean
is_measured_communication (const PdDvm *self, PdDvmFunction function)
{
  if (self->multi->waits_in_dopl && (function == PD_DVM_dopl_ || function == PD_DVM_endpl_))
    return TRUE;
  return pd_dvm_function_communicates (function) && pd_dvm_is_simulated (self->handlers, function);
}

static void
set_times (PdDvm *self)
{
  PdDvmMultiFile *multi = self->multi;
  PdDvmFunction function = self->current.function;
  gboolean is_section = function == PD_DVM_biof_ || function == PD_DVM_eiof_;
  gboolean is_io = pd_dvm_function_get_class (function) == PD_DVM_CLASS_IO && !is_section;

  if (is_measured_communication (self, function))
    memset (multi->ret_times, 0, multi->n * sizeof *multi->ret_times);
  self->current.call_time = self->in_io ? multi->call_times[0] : mean_of (multi, multi->call_times);
  self->current.ret_time = is_io || (self->in_io && !is_section)
                               ? multi->ret_times[0]
                               : mean_of (multi, multi->ret_times);
}

static void
watch_loop (const PdDvmHandlers *handlers, PdDvmMultiFile *multi, PdDvmFunction function)
{
  if (function == PD_DVM_crtpl_ || function == PD_DVM_endpl_)
    multi->waits_in_dopl = FALSE;
  else if ((function == PD_DVM_across_ || function == PD_DVM_doacr_ || function == PD_DVM_exfrst_
            || function == PD_DVM_imlast_)
           && pd_dvm_is_simulated (handlers, function))
    multi->waits_in_dopl = TRUE;
}

/* ---- what cannot be predicted */

static gboolean
check_task (PdDvm *self, GError **error)
{
  for (guint i = 0; i < self->multi->n; i++)
    {
      const File *file = &self->multi->files[i];
      gint64 run;
      if (!pd_dvm_call_get_ret (file->reader, PD_DVM_KEY_Run, &run) || run == 1)
        continue;
      return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_RECORDED,
                          "processor %u does not run this task; a program with tasks can only be "
                          "predicted from a trace recorded on one processor (IsUserPS=1)",
                          i);
    }
  return TRUE;
}

static gboolean
check_call (PdDvm *self, GError **error)
{
  PdDvmFunction function = self->current.function;

  if (!self->multi->own_times
      && (function == PD_DVM_crtps_ || function == PD_DVM_mapam_ || function == PD_DVM_runam_))
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_RECORDED,
                        "the program divides the processors it was recorded on; it can only be "
                        "predicted for those, or from a trace recorded on one processor");
  return function != PD_DVM_runam_ || check_task (self, error);
}

/* ---- for the interpreter */

/* While a loop is gathered its file is read as it is. */
static gboolean
read_visited (PdDvm *self, GError **error)
{
  File *file = &self->multi->files[self->multi->visited];

  if (!next (self, file, error))
    return FALSE;
  self->current = file->call;
  return TRUE;
}

gboolean
pd_dvm_multi_read (PdDvm *self, GError **error)
{
  PdDvmMultiFile *multi = self->multi;
  GError *local = NULL;

  if (self->pushed_back)
    {
      self->pushed_back = FALSE;
      return TRUE;
    }
  if (multi->visited >= 0)
    return read_visited (self, error);
  if (!self->at_end && advance (self, &multi->files[0], &local))
    {
      self->current = multi->files[0].call;
      if (follow_all (self, &local) && check_call (self, &local))
        {
          set_times (self);
          watch_loop (self->handlers, multi, self->current.function);
          return TRUE;
        }
    }
  /* where one file ends, all end */
  self->at_end = TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  return FALSE;
}

void
pd_dvm_multi_charge (PdDvm *self, const PdTime *times)
{
  PdDvmMultiFile *multi = self->multi;

  if (self->in_io)
    pd_dvm_charge (self, times[0]);
  else if (!multi->own_times)
    pd_dvm_charge (self, mean_of (multi, times));
  else
    pd_dvm_charge_own (self, times);
}

const PdTime *
pd_dvm_multi_get_times (const PdDvm *self, gboolean is_ret)
{
  return is_ret ? self->multi->ret_times : self->multi->call_times;
}

guint
pd_dvm_multi_get_n (const PdDvm *self)
{
  return self->multi->n;
}

PdGrid *
pd_dvm_multi_get_grid (const PdDvm *self)
{
  return self->multi->grid;
}

gboolean
pd_dvm_multi_have_own (const PdDvm *self)
{
  return self->multi->own_times;
}

gboolean
pd_dvm_multi_wait_in_dopl (const PdDvm *self)
{
  return self->multi->waits_in_dopl;
}

void
pd_dvm_multi_visit (PdDvm *self, guint number)
{
  File *file = &self->multi->files[number];

  self->multi->visited = (gint) number;
  self->reader = file->reader;
  self->current = file->call;
}

void
pd_dvm_multi_leave (PdDvm *self)
{
  PdDvmMultiFile *multi = self->multi;
  File *file = &multi->files[multi->visited];

  file->call = self->current;
  file->pushed_back = self->pushed_back;
  self->pushed_back = FALSE;
  multi->visited = -1;
  self->reader = multi->files[0].reader;
  self->current = multi->files[0].call;
}

/* ---- life */

/* Of no lower rank than the predicted one. */
static PdGrid *
new_recorded_grid (const PdDvmContext *context)
{
  const PdDvmHeader *header = pd_dvm_reader_get_header (context->reader);
  gint64 sizes[PD_MAX_GRID_RANK] = { context->n_others + 1, 1, 1, 1 };
  guint rank = MAX (pd_grid_get_rank (context->grid), MIN (header->ps_rank, PD_MAX_GRID_RANK));
  GError *error = NULL;

  for (guint d = 0; d < PD_MAX_GRID_RANK && header->ps_rank > 0; d++)
    sizes[d] = d < header->ps_rank ? header->ps_size[d] : 1;
  PdGrid *grid = pd_grid_new (rank, sizes, &error);
  /* sizes that make no grid: those of the prediction are as good */
  g_clear_error (&error);
  return grid != NULL ? grid : pd_grid_ref (context->grid);
}

PdDvmMultiFile *
pd_dvm_multi_new (const PdDvmContext *context)
{
  PdDvmMultiFile *self = g_new0 (PdDvmMultiFile, 1);

  self->n = context->n_others + 1;
  self->own_times = context->own_times;
  self->visited = -1;
  self->grid = new_recorded_grid (context);
  self->files = g_new0 (File, self->n);
  self->call_times = g_new0 (PdTime, self->n);
  self->ret_times = g_new0 (PdTime, self->n);
  for (guint i = 0; i < self->n; i++)
    {
      self->files[i].reader = i == 0 ? context->reader : context->others[i - 1];
      self->files[i].is_first = TRUE;
    }
  return self;
}

void
pd_dvm_multi_free (PdDvmMultiFile *self)
{
  if (self == NULL)
    return;
  pd_grid_unref (self->grid);
  g_free (self->files);
  g_free (self->call_times);
  g_free (self->ret_times);
  g_free (self);
}
