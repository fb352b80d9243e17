/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-watcher.h"

void
pd_watch (PdWatcher **watchers, const PdWatcherClass *class, gpointer self)
{
  while (*watchers != NULL)
    watchers = &(*watchers)->next;
  *watchers = g_new (PdWatcher, 1);
  **watchers = (PdWatcher){ class, self, NULL };
}

gboolean
pd_watchers_finish (const PdWatcher *watchers, const PdTime *ends, GError **error)
{
  gboolean ok = TRUE;

  for (; watchers != NULL; watchers = watchers->next)
    if (watchers->class->finish != NULL)
      ok = watchers->class->finish (watchers->self, ends, ok && ends != NULL ? error : NULL) && ok;
  return ok;
}

void
pd_watchers_free (PdWatcher *watchers)
{
  for (PdWatcher *next; watchers != NULL; watchers = next)
    {
      next = watchers->next;
      if (watchers->class->free != NULL)
        watchers->class->free (watchers->self);
      g_free (watchers);
    }
}
