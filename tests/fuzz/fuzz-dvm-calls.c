/* Any bytes as shared calls of a DVM trace, with the sum made right: what is accepted can be
 * gone through. Other bytes, by the first one, as a trace that is to be shared: then each
 * reader delivers as many calls.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "traces/dvm/pd-dvm-calls.h"
#include "traces/dvm/pd-dvm-check.h"
#include "traces/program/pd-sections.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-calls-check.h"
#include "traces/dvm/pd-dvm-calls-write.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gint64
ask_all (const PdDvmReader *reader)
{
  gint64 sum = 0;

  for (guint k = 0; k < PD_DVM_N_KEYS; k++)
    {
      gint64 value = 0;
      gdouble number = 0;
      guint n, m;
      const gint64 *array = pd_dvm_call_get_array (reader, k, &n);
      const gdouble *doubles = pd_dvm_call_get_doubles (reader, k, &m);

      g_assert_true ((array == NULL) == (n == 0) && (doubles == NULL) == (m == 0));
      for (guint i = 0; i < n; i++)
        sum ^= array[i];
      for (guint i = 0; i < m; i++)
        sum ^= doubles[i] > 0;
      sum ^= pd_dvm_call_get (reader, k, &value) ? value : 1;
      sum ^= pd_dvm_call_get_ret (reader, k, &value) ? value : 1;
      sum ^= pd_dvm_call_get_double (reader, k, &number) ? number > 0 : 1;
      sum ^= pd_dvm_call_get_length (reader, k) ^ pd_dvm_call_get_row_length (reader, k, 1);
    }
  return sum ^ pd_dvm_call_pattern_is_array (reader);
}

static void
go_through (PdDvmReader *reader, guint64 *n, gint64 *sum, GError **error)
{
  const PdDvmCall *call;

  for (*n = 0, *sum = 0; reader != NULL && pd_dvm_reader_next (reader, &call, error); ++*n)
    {
      g_assert_true (call->call_time.ps >= 0 && call->ret_time.ps >= 0);
      *sum ^= ask_all (reader) ^ (gint64) strlen (call->name) ^ (gint64) strlen (call->file);
    }
}

static void
try_calls (GBytes *bytes)
{
  g_autoptr (GBytes) aligned = pd_sections_align (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  guint64 n;
  gint64 sum;

  gboolean ok = pd_dvm_calls_check (aligned, NULL, &error);
  g_assert_true (ok == (error == NULL));
  if (!ok)
    return;
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_calls (aligned, "fuzz", messages);
  go_through (reader, &n, &sum, &error);
  g_assert_no_error (error);
  g_autoptr (PdDvmReader) again = pd_dvm_reader_new_from_calls (aligned, "fuzz", messages);
  pd_dvm_check_reader (again, messages, NULL);
}

static void
try_trace (GBytes *bytes)
{
  static const guint8 key[PD_SECTIONS_KEY_SIZE];
  g_autoptr (GError) error = NULL, problem = NULL;
  guint64 n, m;
  gint64 sum, same;
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);

  g_autoptr (PdDvmReader) own = pd_dvm_reader_new_from_bytes (bytes, "fuzz", NULL, &error);
  go_through (own, &n, &sum, &error);
  gboolean ok = pd_dvm_calls_save (pd_input_new_from_bytes (bytes), "fuzz", key, fd, &problem);
  g_assert_true (ok == (problem == NULL) && !(ok && error != NULL));
  g_autoptr (GMappedFile) file = ok ? g_mapped_file_new_from_fd (fd, FALSE, NULL) : NULL;
  close (fd);
  if (!ok)
    return;
  g_autoptr (GBytes) calls = g_mapped_file_get_bytes (file);
  g_assert_true (pd_dvm_calls_check (calls, key, NULL));
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_calls (calls, "fuzz", NULL);
  go_through (reader, &m, &same, NULL);
  g_assert_true (n == m && sum == same);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size == 0)
    return 0;
  g_autofree guint8 *copy = g_malloc (size);
  memcpy (copy, data + 1, size - 1);
  if (data[0] % 2 == 0)
    pd_dvm_calls_seal (copy, size - 1);
  g_autoptr (GBytes) bytes = g_bytes_new (copy, size - 1);
  if (data[0] % 2 == 0)
    try_calls (bytes);
  else
    try_trace (bytes);
  return 0;
}
