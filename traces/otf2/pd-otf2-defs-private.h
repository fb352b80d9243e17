/* OTF2 archives: what their definitions say.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_DEFS_PRIVATE_H
#define PD_OTF2_DEFS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

extern const PdOtf2AttributeRow pd_otf2_attributes[PD_OTF2_N_ATTRIBUTES];

gboolean pd_otf2_read_definitions (PdOtf2Archive *archive, GError **error);
/* The communicator in the program, as @rank sees it; FALSE with archive->error set. */
gboolean pd_otf2_find_comm (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 *index);
/* The site of @ref in the program; %PD_PROGRAM_NONE if nothing is known of it. */
guint32 pd_otf2_find_site (PdOtf2Archive *archive, OTF2_CallingContextRef ref);
/* The innermost place of @ref; %NULL if it is not known. */
const PdOtf2Place *pd_otf2_find_place (const PdOtf2Archive *archive, OTF2_CallingContextRef ref);
/* Where @rank is in the group; FALSE: nowhere. */
gboolean pd_otf2_find_member (PdOtf2Group *group, guint32 rank, guint32 *place);
/* @peer of a message of @rank over @ref, in the program's communicator. */
gint32 pd_otf2_find_peer (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 peer);
/* Where the members of @group are in the communicator; (transfer full) (element-type gint64). */
GArray *pd_otf2_find_places (PdOtf2Archive *archive, OTF2_CommRef ref, OTF2_GroupRef group);

#endif
