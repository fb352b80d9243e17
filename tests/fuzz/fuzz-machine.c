/* Machine descriptions of every form from arbitrary bytes. The text after a
 * byte 0 is a setting.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine-place.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/description/pd-machine-show.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What can be done with a machine that was accepted. */
static void
use_machine (const PdMachine *machine)
{
  guint32 n = MIN (machine->n_processors, 100);
  g_autofree char *text = pd_machine_describe (machine);
  g_autofree guint32 *block = pd_machine_place (machine, "block", n, NULL);

  g_assert (text != NULL && block != NULL);
  for (guint32 p = 0; p < n; p++)
    g_assert (pd_machine_get_speed (machine, machine->n_processors - 1 - p) > 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const guint8 *zero = size > 0 ? memchr (data, 0, size) : NULL;
  gsize n = zero != NULL ? (gsize) (zero - data) : size;
  g_autofree char *setting =
      zero != NULL ? g_strndup ((const char *) zero + 1, size - n - 1) : NULL;
  const char *const settings[] = { setting, NULL };
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load_bytes (bytes, "fuzz", settings, 0, &error);

  g_assert ((machine == NULL) == (error != NULL));
  if (machine != NULL)
    use_machine (machine);

  /* the same bytes as an inline machine */
  g_autofree char *spec = g_strndup ((const char *) data, n);
  g_autoptr (PdMachine) other = NULL;
  if (strchr (spec, ':') != NULL && strchr (spec, '/') == NULL)
    other = pd_machine_load (spec, NULL, 3, NULL);
  if (other != NULL)
    use_machine (other);
  return 0;
}
