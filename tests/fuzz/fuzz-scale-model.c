/* Any bytes as a model of predictor scale, with the sum made right: what is accepted is written as
 * it was read, can be described, and gives a program or says why not.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "scale/file/pd-scale-file.h"

#include <string.h>
#include <sys/time.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static volatile sig_atomic_t late;

static void
be_late (int number)
{
  (void) number;
  late = 1;
}

/* Loops may be repeated as often as there are numbers. */
static void
make (const PdScaleModel *model)
{
  const struct itimerval soon = { .it_value = { 0, 20000 } }, never = { .it_value = { 0, 0 } };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;

  late = 0;
  signal (SIGVTALRM, be_late);
  setitimer (ITIMER_VIRTUAL, &soon, NULL);
  g_autoptr (PdProgram) program = pd_scale_model_make (model, 6, NULL, messages, &late, &error);
  setitimer (ITIMER_VIRTUAL, &never, NULL);
  g_assert_true ((program == NULL) == (error != NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = g_malloc (size + 1);
  g_autoptr (GError) error = NULL;

  if (size > 0)
    memcpy (copy, data, size);
  pd_scale_file_seal (copy, size);
  g_autoptr (GBytes) bytes = g_bytes_new (copy, size);
  g_autoptr (PdScaleModel) model = pd_scale_model_new_from_bytes (bytes, &error);
  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL)
    return 0;
  g_autoptr (GBytes) written = pd_scale_model_to_bytes (model);
  g_autoptr (PdScaleModel) again = pd_scale_model_new_from_bytes (written, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) rewritten = pd_scale_model_to_bytes (again);
  g_assert_true (g_bytes_equal (written, rewritten));
  g_autoptr (GString) text = g_string_new (NULL);
  pd_scale_model_describe (model, text);
  make (model);
  return 0;
}
