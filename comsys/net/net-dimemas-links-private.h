/* Assignment of links to transfers by the rules of Dimemas, which net-dimemas-links.c
 * describes. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_DIMEMAS_LINKS_PRIVATE_H
#define NET_DIMEMAS_LINKS_PRIVATE_H

#include "comsys/net/net-dimemas-private.h"

void pd_links_append (PdDimemas *self, PdLinksQueue *queue, guint32 item);
/* Takes the first one out; 0 if there is none. */
guint32 pd_links_pop (PdDimemas *self, PdLinksQueue *queue);

/**
 * pd_links_get:
 * @item: a transfer that has none, or one, of its links
 *
 * Gives it the links that are free, or has it wait for the first one that is not.
 *
 * Returns: whether it has both.
 */
gboolean pd_links_get (PdDimemas *self, guint32 item);

/**
 * pd_links_release:
 * @endpoint: has a link less in use
 * @way: in which direction it was used
 */
void pd_links_release (PdDimemas *self, guint32 endpoint, PdLinksWay way);

#endif
