import { createHash } from 'node:crypto';
import type { HandoverState } from '@wardline/contract/examinations/handovers.ts';
import type { Database } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

export interface HandoverOptions {
  readonly chatId: string;
  readonly facilityId: string;
  readonly givenBy: string;
  readonly to: string;
  readonly state?: Extract<HandoverState, 'given' | 'received'>;
  /** What its line, its action and its synthesis say. */
  readonly text?: string;
}

/** An I-PASS of a patient with one line and one action, and where it is received the signature of whom it was given to. */
export async function makeHandover(
  db: Database,
  { chatId, facilityId, givenBy, to, state = 'given', text = 'Watch the potassium' }: HandoverOptions,
): Promise<{ id: string; actionId: string }> {
  const [id, actionId] = [newId(), newId()];
  const at = '2026-01-02T03:04:05.000Z';
  await db
    .insertInto('handovers')
    .values({
      ...{ id, chat_id: chatId, facility_id: facilityId, client_id: newId(), state, format: 'ipass' },
      ...{ severity: 'watcher', given_by: givenBy, given_at: at, to_user: to },
    })
    .execute();
  const person = (user_id: string) => ({ user_id, name: 'Somebody', title: null });
  const sheet = signed({
    ...{ handover: id, version: 1, format: 'ipass', severity: 'watcher', patient: null },
    lines: [{ section: 'summary', text, source: null, is_quoted: false }],
    actions: [{ id: actionId, text, owner: 'Night nurse', due_at: null }],
    ...{ to: person(to), role: null, hands_over_chat: false, reason: null, given: { by: person(givenBy), at } },
  });
  const place = { handover_id: id, version: 1, signed_at: at };
  await db
    .insertInto('handover_sheets')
    .values({ ...place, ...sheet, signed_by: givenBy })
    .execute();
  await db.insertInto('handover_actions').values({ handover_id: id, action_id: actionId, sheet_version: 1 }).execute();
  if (state === 'received') {
    const sheet_sha256 = sheet.sha256.toString('hex');
    const receipt = signed({
      handover: id,
      version: 1,
      sheet_sha256,
      synthesis: text,
      received: { by: person(to), at },
    });
    await db
      .insertInto('handover_receipts')
      .values({ ...place, ...receipt, signed_by: to })
      .execute();
  }
  return { id, actionId };
}

function signed(content: object) {
  const text = JSON.stringify(content);
  return { content: text, sha256: createHash('sha256').update(text).digest() };
}
