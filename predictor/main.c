/* SPDX-License-Identifier: MIT */
#include <glib.h>

int
main (void)
{
  return 2;
}
