import { createHmac } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { RequestContext } from '#/platform/http/context.ts';

/** The same key on every call and device of a person, and nothing that has to be stored. */
export function getDeviceKey({ appKey }: { readonly appKey: Buffer }) {
  const key = deriveKey(appKey, 'device key');
  return async ({ actor }: Pick<RequestContext, 'actor'>): Promise<{ key: string }> => ({
    key: createHmac('sha256', key).update(actor.userId).digest('base64'),
  });
}
