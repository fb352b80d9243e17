/* Any bytes as a list of measured noise samples, and what is drawn from it.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-noise-samples.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gint64 times[] = { 0, 1, PD_PS_PER_US, PD_PS_PER_S, G_MAXINT64 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdNoiseSamples) noise_samples =
      pd_noise_samples_parse ((const char *) data, size, "fuzz", &error);

  g_assert_true ((noise_samples == NULL) == (error != NULL));
  for (gsize i = 0; noise_samples != NULL && i < G_N_ELEMENTS (times); i++)
    {
      PdRandom random;
      pd_random_init (&random, size, 0, i);
      PdTime t = pd_noise_samples_draw (noise_samples, PD_TIME (times[i]), &random);
      g_assert_cmpint (t.ps, >=, 0);
      g_assert_true (times[i] > 0 || t.ps == 0);
    }
  return 0;
}
