/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-input-message.h"

#include "sweep/run/pd-transport.h"

#include <string.h>

#define N_TEXTS 4

static void
input_clear (gpointer data)
{
  PdStudyInput *input = data;

  g_free (input->name);
  g_free (input->sha256);
  g_free (input->path);
  g_free (input->stamp);
}

GArray *
pd_study_inputs_new (void)
{
  GArray *inputs = g_array_new (FALSE, TRUE, sizeof (PdStudyInput));

  g_array_set_clear_func (inputs, input_clear);
  return inputs;
}

void
pd_input_message_write (const GArray *inputs, GByteArray *out)
{
  for (guint i = 0; i < inputs->len; i++)
    {
      const PdStudyInput *input = &g_array_index (inputs, PdStudyInput, i);
      const char *const texts[N_TEXTS] = { input->name, input->sha256, input->path, input->stamp };
      for (guint k = 0; k < N_TEXTS; k++)
        {
          const char *text = texts[k] != NULL ? texts[k] : "";
          g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text) + 1);
        }
    }
}

/* The text at *@at, which goes behind it; NULL if there is no NUL. */
static const char *
next_text (const guint8 *data, gsize size, gsize *at)
{
  const char *text = (const char *) data + *at;
  const guint8 *end = *at < size ? memchr (data + *at, '\0', size - *at) : NULL;

  if (end == NULL)
    return NULL;
  *at = (gsize) (end - data) + 1;
  return text;
}

GArray *
pd_input_message_read (const guint8 *data, gsize size, GError **error)
{
  g_autoptr (GArray) inputs = pd_study_inputs_new ();

  for (gsize at = 0; at < size;)
    {
      const char *texts[N_TEXTS];
      for (guint k = 0; k < N_TEXTS; k++)
        if ((texts[k] = next_text (data, size, &at)) == NULL)
          {
            g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
                         "the inputs of the study end after %" G_GSIZE_FORMAT " bytes, within one",
                         size);
            return NULL;
          }
      const PdStudyInput input = { g_strdup (texts[0]), g_strdup (texts[1]), g_strdup (texts[2]),
                                   g_strdup (texts[3]) };
      g_array_append_val (inputs, input);
    }
  return g_steal_pointer (&inputs);
}
