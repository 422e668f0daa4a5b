import { createHash } from 'node:crypto';
import { v5 } from 'uuid';
import type { Transaction } from '#/platform/http/context.ts';

/** The same form is kept once in a facility. */
export async function keepForm(tx: Transaction, facilityId: string, definition: object): Promise<string> {
  const text = JSON.stringify(definition);
  const id = v5(createHash('sha256').update(text).digest('hex'), facilityId);
  await tx
    .insertInto('examination_templates')
    .values({ id, version: 1, facility_id: facilityId, definition: text })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}
