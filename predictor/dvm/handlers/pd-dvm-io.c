/* Input and output: the I/O processor works, the others learn the result by
 * broadcasts.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-io-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-families.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* The communication after the file operation, besides fixed broadcasts. */
typedef enum
{
  NOTHING,
  ITEMS,  /* Res * Size bytes */
  BYTES,  /* Res bytes */
  STRING, /* the string read, and its end */
  FILENAME,
  VALUES,    /* one broadcast per converted value */
  ARRAY_OUT, /* a distributed array is collected, if the record names one */
  ARRAY_IN,  /* … or dealt out; else ITEMS */
} Extra;

typedef struct
{
  guint8 n;        /* broadcasts */
  guint8 bytes[2]; /* of each */
  Extra extra;
} Row;

#define RESULT                                                                                     \
  {                                                                                                \
    1, { 4 }, NOTHING                                                                              \
  }
#define POINTER                                                                                    \
  {                                                                                                \
    1, { 8 }, NOTHING                                                                              \
  }
#define NO_RESULT                                                                                  \
  {                                                                                                \
    0, { 0 }, NOTHING                                                                              \
  }

/* Functions that are not here broadcast an int, their result. */
static const struct
{
  PdDvmFunction function;
  Row row;
} rows[] = {
  { PD_DVM_dvm_void_printf, NO_RESULT },
  { PD_DVM_dvm_void_fprintf, NO_RESULT },
  { PD_DVM_dvm_void_vprintf, NO_RESULT },
  { PD_DVM_dvm_void_vfprintf, NO_RESULT },
  { PD_DVM_dvm_clearerr, NO_RESULT },
  { PD_DVM_dvm_rewind, NO_RESULT },
  { PD_DVM_dvm_setbuf, NO_RESULT },
  { PD_DVM_dvm_gzflush, NO_RESULT },
  { PD_DVM_dvmsync_, NO_RESULT },
  { PD_DVM_dvm_fopen, POINTER },
  { PD_DVM_dvm_freopen, POINTER },
  { PD_DVM_dvm_tmpfile, POINTER },
  { PD_DVM_dvm_ftell, POINTER },
  { PD_DVM_dvm_lseek, POINTER },
  { PD_DVM_dvm_fgetpos, { 2, { 4, 16 }, NOTHING } },
  { PD_DVM_dvm_stat, { 2, { 4, 144 }, NOTHING } },
  { PD_DVM_dvm_fstat, { 2, { 4, 144 }, NOTHING } },
  { PD_DVM_dvm_fread, { 1, { 4 }, ARRAY_IN } },
  { PD_DVM_dvm_dfread, { 1, { 4 }, ARRAY_IN } },
  { PD_DVM_DisArrRead, { 1, { 4 }, ARRAY_IN } },
  { PD_DVM_dvm_fwrite, { 1, { 4 }, ARRAY_OUT } },
  { PD_DVM_dvm_dfwrite, { 1, { 4 }, ARRAY_OUT } },
  { PD_DVM_DisArrWrite, { 1, { 4 }, ARRAY_OUT } },
  { PD_DVM_dvm_read, { 1, { 4 }, BYTES } },
  { PD_DVM_dvm_fgets, { 2, { 8, 4 }, STRING } },
  { PD_DVM_dvm_gets, { 2, { 8, 4 }, STRING } },
  { PD_DVM_dvm_tmpnam, { 2, { 8, 4 }, FILENAME } },
  { PD_DVM_dvm_scanf, { 0, { 0 }, VALUES } },
  { PD_DVM_dvm_fscanf, { 0, { 0 }, VALUES } },
  { PD_DVM_dvm_vscanf, { 0, { 0 }, VALUES } },
  { PD_DVM_dvm_vfscanf, { 0, { 0 }, VALUES } },
};

static const Row *
row_of (PdDvmFunction function)
{
  static const Row result = RESULT;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].function == function)
      return &rows[i].row;
  return &result;
}

/* ---- steps */

/* @bytes: -1: not known */
static PdStepDvm *
emit_file_io (PdDvm *self, PdTime time, gint64 bytes)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_FILE_IO);

  step->time = time;
  step->bytes = self->models_files ? bytes : -1;
  step->family = pd_comm_family_ref (pd_dvm_get_family (self, self->team, NULL));
  return step;
}

static PdStepDvm *
broadcast (PdDvm *self, PdStepOperation *operation, gint64 bytes)
{
  return pd_dvm_emit_collective (self, operation, PD_OP_BCAST, MAX (bytes, 0));
}

static gint64
get_result (PdDvm *self)
{
  return MAX (pd_dvm_get (self, PD_DVM_KEY_Res, 0), 0);
}

static gint64
get_item_bytes (PdDvm *self)
{
  gint64 bytes, size = MAX (pd_dvm_get (self, PD_DVM_KEY_Size, 1), 0);

  return __builtin_mul_overflow (get_result (self), size, &bytes) ? 0 : bytes;
}

/* Their result is the number of bytes written. */
static gboolean
returns_bytes (PdDvmFunction function)
{
  static const PdDvmFunction functions[] = { PD_DVM_dvm_printf, PD_DVM_dvm_fprintf,
                                             PD_DVM_dvm_vprintf, PD_DVM_dvm_vfprintf,
                                             PD_DVM_dvm_write };

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (functions[i] == function)
      return TRUE;
  return FALSE;
}

/* The bytes read or written; -1: the record does not have them. */
static gint64
get_file_bytes (PdDvm *self, const Row *row)
{
  switch (row->extra)
    {
    case ITEMS:
    case ARRAY_IN:
    case ARRAY_OUT:
      return get_item_bytes (self);
    case BYTES:
      return get_result (self);
    case STRING:
      return pd_dvm_call_get_length (self->reader, PD_DVM_KEY_String);
    case NOTHING:
      return returns_bytes (self->call->function) ? get_result (self) : -1;
    case FILENAME:
    case VALUES:
      break;
    }
  return -1;
}

/* Input into memory, after the fixed broadcasts. */
static PdStepDvm *
broadcast_extra (PdDvm *self, const Row *row, PdStepOperation *operation)
{
  PdStepDvm *step = NULL;

  switch (row->extra)
    {
    case NOTHING:
    case ARRAY_OUT:
      return NULL;
    case ITEMS:
    case ARRAY_IN:
      return broadcast (self, operation, get_item_bytes (self));
    case BYTES:
      return broadcast (self, operation, get_result (self));
    case STRING:
      return broadcast (self, operation,
                        pd_dvm_call_get_length (self->reader, PD_DVM_KEY_String) + 1);
    case FILENAME:
      return broadcast (self, operation,
                        pd_dvm_call_get_length (self->reader, PD_DVM_KEY_FileName) + 1);
    case VALUES:
      pd_dvm_warn (self, "scanf-sizes", self->call->name,
                   "the sizes of the values that '%s' reads are taken as 8 bytes each",
                   self->call->name);
      for (gint64 i = 0; i < MIN (get_result (self), 1000); i++)
        broadcast (self, operation, 8);
      step = broadcast (self, operation, 4);
      break;
    }
  return step;
}

/* File operation, then broadcasts. */
static void
emit_plain (PdDvm *self, const Row *row, PdStepOperation *operation)
{
  PdStepDvm *last = emit_file_io (self, self->call->ret_time, get_file_bytes (self, row));

  last->flags = PD_STEP_ENTERS;
  last->operation = pd_operation_ref (operation);
  for (guint i = 0; i < row->n; i++)
    last = broadcast (self, operation, row->bytes[i]);
  PdStepDvm *extra = broadcast_extra (self, row, operation);
  if (extra != NULL)
    last = extra;
  last->flags |= PD_STEP_LEAVES;
}

/* Each processor may do it for its own part. */
static void
emit_array_io (PdDvm *self, PdStepOperation *operation)
{
  gint64 bytes;

  if (__builtin_mul_overflow (operation->prefix, operation->type_size, &bytes))
    bytes = G_MAXINT64;
  emit_file_io (self, self->call->ret_time, bytes)->operation = pd_operation_ref (operation);
}

/* A distributed array: Bcast 4; the parts to the I/O processor, which writes,
 * or reads and deals them out; Bcast 8. */
static void
emit_array (PdDvm *self, const PdArray *array, gboolean is_output, PdStepOperation *operation)
{
  gint64 total = 1;

  for (guint i = 0; i < array->rank; i++)
    total *= array->sizes[i];
  gint64 count = pd_dvm_get (self, PD_DVM_KEY_Count, total);
  operation->layout = pd_layout_ref (array->layout);
  operation->type_size = array->type_size;
  operation->prefix = CLAMP (count, 0, total);
  broadcast (self, operation, 4)->flags = PD_STEP_ENTERS;
  if (!is_output)
    emit_array_io (self, operation);
  PdStepDvm *step = pd_dvm_emit (self, is_output ? PD_STEP_KIND_COLLECT : PD_STEP_KIND_DEAL);
  step->operation = pd_operation_ref (operation);
  step->family = pd_comm_family_ref (pd_dvm_get_family (self, self->team, NULL));
  if (is_output)
    emit_array_io (self, operation);
  broadcast (self, operation, 8)->flags = PD_STEP_LEAVES;
}

gboolean
pd_dvm_io (PdDvm *self, GError **error)
{
  const Row *row = row_of (self->call->function);
  gboolean is_array = row->extra == ARRAY_OUT || row->extra == ARRAY_IN;
  gint64 handle;

  pd_dvm_charge_call (self);
  pd_dvm_count_operation (self, PD_OPERATION_IO);
  is_array = is_array && pd_dvm_call_get (self->reader, PD_DVM_KEY_ArrayHandlePtr, &handle);
  const PdArray *array = is_array ? pd_dvm_need_array_object (self, error) : NULL;
  if (is_array && array == NULL)
    return FALSE;

  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_IO);
  if (array != NULL && array->layout != NULL)
    emit_array (self, array, row->extra == ARRAY_OUT, operation);
  else
    emit_plain (self, row, operation);
  pd_operation_unref (operation);
  return TRUE;
}

/* ---- Fortran I/O statements: calls between the two records are executed on the
 * I/O processor only, although the trace of one processor cannot show that. The
 * statement's own time is the TIME of the call_ that follows it, so call_eiof_
 * still belongs to it. */

/* With files of the machine its time has been kept for its end, where the bytes are known. */
static void
emit_statement (PdDvm *self)
{
  PdTime recorded = self->pending_io;

  self->pending_io = PD_TIME_ZERO;
  emit_file_io (self, recorded, self->io_bytes > 0 ? self->io_bytes : -1);
}

void
pd_dvm_count_file_bytes (PdDvm *self, gint64 bytes)
{
  if (self->in_io && __builtin_add_overflow (self->io_bytes, MAX (bytes, 0), &self->io_bytes))
    self->io_bytes = G_MAXINT64;
}

gboolean
pd_dvm_biof (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_charge_call (self);
  pd_dvm_charge_ret (self);
  pd_dvm_count_operation (self, PD_OPERATION_IO);
  self->in_io = TRUE;
  self->io_bytes = 0;
  return TRUE;
}

gboolean
pd_dvm_eiof (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_charge_call (self);
  self->in_io = FALSE;
  if (self->models_files)
    emit_statement (self);
  pd_dvm_charge_ret (self);
  return TRUE;
}

/* One broadcast per memory area; the lengths are hexadecimal. */
gboolean
pd_dvm_srmem (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  guint n;
  const gint64 *lengths = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_LengthArray, &n);
  PdStepOperation *operation =
      pd_dvm_operation_new (self, self->in_io ? PD_OPERATION_IO : PD_OPERATION_OTHER);

  if (!self->in_io)
    pd_dvm_count_operation (self, PD_OPERATION_OTHER);

  for (guint i = 0; i < n; i++)
    {
      PdStepDvm *step = broadcast (self, operation, lengths[i]);
      pd_dvm_count_file_bytes (self, lengths[i]);
      step->flags = (i == 0 ? PD_STEP_ENTERS : 0) | (i + 1 == n ? PD_STEP_LEAVES : 0);
    }
  pd_operation_unref (operation);
  return TRUE;
}
