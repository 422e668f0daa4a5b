import type { Call } from '@wardline/client/http/call.ts';
import type { Device } from '#/shared/contexts/device-context.ts';

/**
 * Registers how examinations that were begun, and moves of them, leave this device; they wait until the code is there, and where it cannot
 * be loaded.
 */
export const registerMoves = async (device: Device, call: Call) =>
  (await import('./move-outbox.ts')).moveOutbox(device, call);
