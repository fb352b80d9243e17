/* The steps of a message after the calls that started it, driven by the events of its send:
 *
 *   eager:       REQUEST -> (network) -> delivered
 *   rendezvous:  REQUEST -> (announcement) -> arrived, matched -> ANSWER
 *                -> (answer) -> DATA -> (network) -> delivered
 *
 * With free control messages REQUEST and ANSWER cost nothing. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MESSAGE_H
#define PD_MESSAGE_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_message_observe:
 * Tells the observer that the data of a message leave.
 */
void pd_message_observe (PdComsys *self, const PdReq *send, PdTime when);

/**
 * pd_message_delivered:
 * The requested transfer arrives at @when: an announcement, an answer or the data,
 * depending on the step.
 */
void pd_message_delivered (PdComsys *self, guint32 send, PdTime when);

/**
 * pd_message_match:
 * The two are halves of one message.
 */
void pd_message_match (PdComsys *self, guint32 send, guint32 recv);

/**
 * pd_message_copy_to_oneself:
 * A message to oneself is copied, by no network.
 */
void pd_message_copy_to_oneself (PdComsys *self, guint32 send, PdTime when);

/**
 * pd_message_request_event:
 * The event: a send asks its network.
 */
void pd_message_request_event (PdComsys *self, guint32 rank, guint32 send);

/**
 * pd_message_answer_event:
 * The event: a receive answers an announcement.
 */
void pd_message_answer_event (PdComsys *self, guint32 rank, guint32 send);

/**
 * pd_message_data_event:
 * The event: the data of a rendezvous leave.
 */
void pd_message_data_event (PdComsys *self, guint32 rank, guint32 send);

#endif
