/* Functions that make an archive, in all ranks or in one process.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_ARCHIVE_H
#define PD_REC_ARCHIVE_H

#include "record/archive/pd-rec-otf2.h"

/**
 * pd_rec_open_archive:
 * Opens the archive that is to be written in @folder; NULL with @error.
 */
OTF2_Archive *pd_rec_open_archive (const char *folder, PdRecError *error);

/**
 * pd_rec_otf2_failed:
 * Notes what the library complained about. Always -1.
 */
int pd_rec_otf2_failed (PdRecError *error);

/**
 * pd_rec_remove_archive:
 * Removes the present files of the archive in @folder.
 */
void pd_rec_remove_archive (const char *folder);

/**
 * pd_rec_write_local:
 * The location has no definitions of its own.
 */
int pd_rec_write_local (OTF2_Archive *archive, OTF2_LocationRef location, PdRecError *error);

/**
 * pd_rec_settle:
 * Removes communicators whose members no rank has recorded.
 */
void pd_rec_settle (const PdRecMerged *merged, PdRecMap *map);

/**
 * pd_rec_stream_path:
 * (out) @path: of the stream of the first thread of @rank.
 */
void pd_rec_stream_path (char *path, size_t n, const char *folder, int rank);

/* A stream in memory. */
typedef struct
{
  void *bytes; /* NULL: none */
  uint64_t n;
} PdRecFile;

/**
 * pd_rec_file_map:
 * -1 with @error; no such file is one with errno ENOENT.
 */
int pd_rec_file_map (PdRecFile *self, const char *path, PdRecError *error);

/**
 * pd_rec_file_unmap:
 * Ends what pd_rec_file_map() began.
 */
void pd_rec_file_unmap (PdRecFile *self);

/**
 * pd_rec_reason_text:
 * Why a rank's events end early; NULL: they do not.
 */
const char *pd_rec_reason_text (const PdRecRankInfo *info);

/**
 * pd_rec_note_events:
 * @folder: that the archive is written in; the events of @location are complete
 *
 * Notes in @info where its events are, and their digest. -1 with @error.
 */
int pd_rec_note_events (const char *folder, OTF2_LocationRef location, PdRecRankInfo *info,
                        PdRecError *error);

/**
 * pd_rec_note_digests:
 * @folder: that the archive is written in; all of it is written but the anchor
 * @infos: of @n streams, rank by rank
 *
 * The property PREDICTOR::DIGESTS, by which readers recognise files of another run: of the
 * definitions, then LOCATION:DIGEST of each file of events. -1 with @error.
 */
int pd_rec_note_digests (OTF2_Archive *archive, const char *folder, const PdRecRankInfo *infos,
                         uint32_t n, PdRecError *error);

/**
 * pd_rec_note_properties:
 * @infos: of @n streams, rank by rank
 *
 * Properties of the archive: PREDICTOR::TRUNCATED has the first ranks whose events
 * end early, PREDICTOR::COMMON_PART until when all ranks were recorded, if recording was
 * stopped, and when the run was over, if that is known, in ns of the archive's clock,
 * PREDICTOR::CALL_COSTS of each PdRecCost how many calls there are, and what recording one costs at
 * most, in ns: "12:50.125 0:61.000 …".
 */
void pd_rec_note_properties (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n);

#endif
