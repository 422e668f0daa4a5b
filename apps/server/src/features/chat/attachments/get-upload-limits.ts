import type * as contract from '@wardline/contract/chat/uploads.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { AttachmentDeps } from './attachment-store.ts';

type Endpoint = typeof contract.getUploadLimits;

/** What the operator lets people send, so that a device says it before it uploads anything. */
export function getUploadLimits({ allowed }: Pick<AttachmentDeps, 'allowed'>) {
  return async (): Promise<ReplyOf<Endpoint>> => ({ max_bytes: allowed.maxBytes, kinds: [...allowed.kinds] });
}
