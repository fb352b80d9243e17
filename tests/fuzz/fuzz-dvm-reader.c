/* Any bytes as a DVM trace: all calls are read, all keys asked for. The first
 * byte chooses how the bytes come in.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-call.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gint64
ask_all (const PdDvmReader *reader)
{
  gint64 sum = 0;

  for (guint key = 0; key < PD_DVM_N_KEYS; key++)
    {
      gint64 value = 0;
      gdouble number = 0;
      guint n, m;
      const gint64 *array = pd_dvm_call_get_array (reader, key, &n);
      const gdouble *doubles = pd_dvm_call_get_doubles (reader, key, &m);

      g_assert_true ((array == NULL) == (n == 0) && (doubles == NULL) == (m == 0));
      for (guint i = 0; i < n; i++)
        sum ^= array[i];
      for (guint i = 0; i < m; i++)
        sum ^= doubles[i] > 0;
      sum ^= pd_dvm_call_get (reader, key, &value) ? value : 1;
      sum ^= pd_dvm_call_get_ret (reader, key, &value) ? value : 1;
      sum ^= pd_dvm_call_get_double (reader, key, &number) ? number > 0 : 1;
      sum ^= pd_dvm_call_get_length (reader, key);
      sum ^= pd_dvm_call_get_row_length (reader, key, 1);
    }
  return sum ^ pd_dvm_call_pattern_is_array (reader);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gsize chunks[] = { G_MAXSIZE, 1, 2, 3, 17, 256 };
  const PdDvmCall *call;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = NULL;

  if (size == 0)
    return 0;
  g_autoptr (GBytes) bytes = g_bytes_new (data + 1, size - 1);
  PdInput *input = pd_input_new_from_bytes (bytes);
  pd_input_set_chunk (input, chunks[data[0] % G_N_ELEMENTS (chunks)]);
  reader = pd_dvm_reader_new_from_input (input, "fuzz", messages, &error);
  g_assert_true ((reader == NULL) == (error != NULL));
  if (reader != NULL)
    pd_dvm_reader_set_decoding (reader, data[0] >= 128);
  while (reader != NULL && pd_dvm_reader_next (reader, &call, &error))
    {
      g_assert_true (call->call_time.ps >= 0 && call->ret_time.ps >= 0);
      g_assert_nonnull (call->name);
      (void) ask_all (reader);
    }
  return 0;
}
