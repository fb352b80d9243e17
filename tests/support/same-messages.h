/* Whether two readings gave the same messages.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_SAME_MESSAGES_H
#define TEST_SAME_MESSAGES_H

#include "base/pd-messages.h"

static inline void
test_assert_same_messages (const PdMessages *a, const PdMessages *b)
{
  g_assert_cmpuint (pd_messages_get_n (a), ==, pd_messages_get_n (b));
  for (guint i = 0; i < pd_messages_get_n (a); i++)
    {
      const PdMessage *x = pd_messages_get (a, i), *y = pd_messages_get (b, i);
      g_assert_cmpstr (x->id, ==, y->id);
      g_assert_cmpstr (x->text, ==, y->text);
      g_assert_cmpstr (x->place, ==, y->place);
      g_assert_cmpuint (x->count, ==, y->count);
    }
}

#endif
