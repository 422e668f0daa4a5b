import type { Call } from '@wardline/client/http/call.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';

/**
 * Registers how reports leave this device, whichever page is open. The code comes after the page; until then reports wait,
 * as they do where it cannot be loaded.
 */
export async function registerReports(outbox: SharedOutbox, call: Call): Promise<void> {
  const { reportOutbox } = await import('./unit/report-outbox.ts');
  reportOutbox(outbox, call);
  outbox.flush();
}
