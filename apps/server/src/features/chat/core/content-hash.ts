import { createHash } from 'node:crypto';
import type { Chat } from '@wardline/contract/chat/chat.ts';

interface Content {
  readonly facilityId: string;
  readonly kind: Chat['kind'];
  readonly title: string;
  readonly patient: Chat['patient'];
  /** In order, without repetition. */
  readonly others: readonly string[];
}

/** What a chat was asked for, so that a repeat is told from another request under the same client_id. */
export function hashContent({ facilityId, kind, title, patient, others }: Content): Buffer {
  const { name, identifier, born_on, bed } = patient ?? {};
  const said = [facilityId, kind, title, name ?? null, identifier ?? null, born_on ?? null, bed ?? null, others];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}
