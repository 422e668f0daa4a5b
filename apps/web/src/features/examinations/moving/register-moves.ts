import type { Call } from '@wardline/client/http/call.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';

/** Registers how moves of examinations leave this device; they wait until the code is there, and where it cannot be loaded. */
export const registerMoves = async (outbox: SharedOutbox, call: Call) =>
  (await import('./move-outbox.ts')).moveOutbox(outbox, call);
