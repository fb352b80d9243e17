/* The words of the text form.
 * SPDX-License-Identifier: MIT */
#include "traces/text/pd-text-private.h"
#include "traces/text/pd-text-words-private.h"

#define P2P      (PD_TEXT_PEER | PD_TEXT_BYTES | PD_TEXT_TAG | PD_TEXT_COMM)
#define ENVELOPE (PD_TEXT_PEER | PD_TEXT_TAG | PD_TEXT_COMM)
#define RMA      (PD_TEXT_PEER | PD_TEXT_BYTES | PD_TEXT_COMM)
#define COLL     (PD_TEXT_BYTES | PD_TEXT_COMM | PD_TEXT_COLL)

const PdTextAction pd_text_actions[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = { "compute", PD_TEXT_AMOUNT },
  [PD_ACT_DELAY] = { "delay", PD_TEXT_TIME },
  [PD_ACT_SEND] = { "send", P2P },
  [PD_ACT_BSEND] = { "bsend", P2P },
  [PD_ACT_SSEND] = { "ssend", P2P },
  [PD_ACT_RSEND] = { "rsend", P2P },
  [PD_ACT_ISEND] = { "isend", P2P | PD_TEXT_REQUEST },
  [PD_ACT_IBSEND] = { "ibsend", P2P | PD_TEXT_REQUEST },
  [PD_ACT_ISSEND] = { "issend", P2P | PD_TEXT_REQUEST },
  [PD_ACT_IRSEND] = { "irsend", P2P | PD_TEXT_REQUEST },
  [PD_ACT_RECV] = { "recv", P2P | PD_TEXT_MATCHED },
  [PD_ACT_IRECV] = { "irecv", P2P | PD_TEXT_MATCHED | PD_TEXT_REQUEST },
  [PD_ACT_SENDRECV] = { "sendrecv", P2P | PD_TEXT_FROM | PD_TEXT_MATCHED },
  [PD_ACT_SEND_INIT] = { "send_init", P2P | PD_TEXT_REQUEST },
  [PD_ACT_BSEND_INIT] = { "bsend_init", P2P | PD_TEXT_REQUEST },
  [PD_ACT_SSEND_INIT] = { "ssend_init", P2P | PD_TEXT_REQUEST },
  [PD_ACT_RSEND_INIT] = { "rsend_init", P2P | PD_TEXT_REQUEST },
  [PD_ACT_RECV_INIT] = { "recv_init", P2P | PD_TEXT_MATCHED | PD_TEXT_REQUEST },
  [PD_ACT_START] = { "start", PD_TEXT_HANDLES },
  [PD_ACT_REQUEST_FREE] = { "request_free", PD_TEXT_HANDLE },
  [PD_ACT_CANCEL] = { "cancel", PD_TEXT_HANDLE },
  [PD_ACT_WAIT] = { "wait", PD_TEXT_HANDLE },
  [PD_ACT_WAITALL] = { "waitall", PD_TEXT_HANDLES },
  [PD_ACT_WAITANY] = { "waitany", PD_TEXT_HANDLES | PD_TEXT_WHICH },
  [PD_ACT_WAITSOME] = { "waitsome", PD_TEXT_HANDLES | PD_TEXT_WHICH },
  [PD_ACT_TEST] = { "test", PD_TEXT_HANDLE | PD_TEXT_WHETHER },
  [PD_ACT_TESTALL] = { "testall", PD_TEXT_HANDLES | PD_TEXT_WHICH },
  [PD_ACT_TESTANY] = { "testany", PD_TEXT_HANDLES | PD_TEXT_WHICH },
  [PD_ACT_TESTSOME] = { "testsome", PD_TEXT_HANDLES | PD_TEXT_WHICH },
  [PD_ACT_PROBE] = { "probe", ENVELOPE | PD_TEXT_MATCHED },
  [PD_ACT_IPROBE] = { "iprobe", ENVELOPE | PD_TEXT_MATCHED | PD_TEXT_WHETHER },
  [PD_ACT_COLLECTIVE] = { NULL, COLL },
  [PD_ACT_ICOLLECTIVE] = { NULL, COLL | PD_TEXT_REQUEST },
  [PD_ACT_COMM_FREE] = { "comm_free", PD_TEXT_COMM },
  [PD_ACT_PUT] = { "put", RMA },
  [PD_ACT_GET] = { "get", RMA },
  [PD_ACT_ACCUMULATE] = { "accumulate", RMA },
  [PD_ACT_GET_ACCUMULATE] = { "get_accumulate", RMA | PD_TEXT_BACK },
  [PD_ACT_RPUT] = { "rput", RMA | PD_TEXT_REQUEST },
  [PD_ACT_RGET] = { "rget", RMA | PD_TEXT_REQUEST },
  [PD_ACT_RACCUMULATE] = { "raccumulate", RMA | PD_TEXT_REQUEST },
  [PD_ACT_RGET_ACCUMULATE] = { "rget_accumulate", RMA | PD_TEXT_BACK | PD_TEXT_REQUEST },
  [PD_ACT_WIN_FENCE] = { "win_fence", PD_TEXT_COMM },
  [PD_ACT_WIN_LOCK] = { "win_lock", PD_TEXT_PEER | PD_TEXT_COMM | PD_TEXT_MODE },
  [PD_ACT_WIN_UNLOCK] = { "win_unlock", PD_TEXT_PEER | PD_TEXT_COMM },
  [PD_ACT_WIN_FLUSH] = { "win_flush", PD_TEXT_PEER | PD_TEXT_COMM | PD_TEXT_LOCAL },
  [PD_ACT_WIN_POST] = { "win_post", PD_TEXT_COMM | PD_TEXT_SOURCES },
  [PD_ACT_WIN_START] = { "win_start", PD_TEXT_COMM | PD_TEXT_TARGETS },
  [PD_ACT_WIN_COMPLETE] = { "win_complete", PD_TEXT_COMM },
  [PD_ACT_WIN_WAIT] = { "win_wait", PD_TEXT_COMM },
  [PD_ACT_OTHER] = { "other", PD_TEXT_NAME | PD_TEXT_TIME },
  [PD_ACT_LOCAL] = { "local", PD_TEXT_NAME | PD_TEXT_TIME },
  [PD_ACT_ENTER] = { "enter", PD_TEXT_INTERVAL },
  [PD_ACT_LEAVE] = { "leave", PD_TEXT_INTERVAL },
  [PD_ACT_LOCATION] = { "location", PD_TEXT_NAME | PD_TEXT_LINE },
  [PD_ACT_ALIKE_BEGIN] = { "alike_begin", PD_TEXT_NUMBER },
  [PD_ACT_ALIKE_END] = { "alike_end", PD_TEXT_NUMBER },
};

const char *const pd_text_file_ops[PD_N_FILE_OPS] = {
  [PD_FILE_OPEN] = "open",   [PD_FILE_CLOSE] = "close", [PD_FILE_READ] = "read",
  [PD_FILE_WRITE] = "write", [PD_FILE_WAIT] = "wait",   [PD_FILE_SEEK] = "seek",
  [PD_FILE_SYNC] = "sync",   [PD_FILE_OTHER] = "other",
};

const PdTextUnit pd_text_units[PD_TEXT_N_UNITS] = {
  { "s", 12 }, { "ms", 9 }, { "us", 6 }, { "ns", 3 }, { "ps", 0 },
};
