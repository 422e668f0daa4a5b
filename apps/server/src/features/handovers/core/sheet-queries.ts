import { createHash } from 'node:crypto';
import { Patient } from '@wardline/contract/chat/chat.ts';
import { HandoverVersion } from '@wardline/contract/examinations/handovers.ts';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/** All that the giver's signature stands for. Its text is what is hashed, so it is written once and never again. */
const SheetContent = z.extend(
  z.pick(HandoverVersion, {
    ...{ version: true, format: true, severity: true, lines: true, actions: true, to: true, role: true },
    ...{ hands_over_chat: true, reason: true, given: true },
  }),
  { handover: z.string(), patient: z.nullable(Patient) },
);
export type SheetContent = z.infer<typeof SheetContent>;

/** What the receiver's signature stands for: their words, over the hash of the sheet that they received. */
const ReceiptContent = z.object({
  handover: z.string(),
  version: z.int(),
  sheet_sha256: z.string(),
  synthesis: z.string(),
  received: HandoverVersion.shape.given,
});
type ReceiptContent = z.infer<typeof ReceiptContent>;

function signed(content: object): { content: string; sha256: Buffer } {
  const text = JSON.stringify(content);
  return { content: text, sha256: createHash('sha256').update(text).digest() };
}

/** Stores a version of a sheet. The database refuses to change it, and a hash that is not of its text. */
export async function insertSheet(tx: DatabaseTransaction, sheet: SheetContent): Promise<string> {
  const { handover, version, given } = sheet;
  const text = signed(sheet);
  const by = { signed_by: given.by.user_id, signed_at: given.at };
  await tx
    .insertInto('handover_sheets')
    .values({ handover_id: handover, version, ...by, ...text })
    .execute();
  return text.sha256.toString('hex');
}

/** Stores the receiver's signature of a version; there is one at most. */
export async function insertReceipt(tx: DatabaseTransaction, receipt: ReceiptContent): Promise<string> {
  const { handover, version, received } = receipt;
  const text = signed(receipt);
  const by = { signed_by: received.by.user_id, signed_at: received.at };
  await tx
    .insertInto('handover_receipts')
    .values({ handover_id: handover, version, ...by, ...text })
    .execute();
  return text.sha256.toString('hex');
}

/** All versions of a sheet with both signatures, the newest first; there are 20 at most. */
export async function listVersions(db: Database | DatabaseTransaction, handoverId: string): Promise<HandoverVersion[]> {
  const rows = await db
    .selectFrom('handover_sheets as s')
    .leftJoin('handover_receipts as r', (join) =>
      join.onRef('r.handover_id', '=', 's.handover_id').onRef('r.version', '=', 's.version'),
    )
    .select(['s.content', 's.sha256', 'r.content as receipt', 'r.sha256 as receipt_sha256'])
    .where('s.handover_id', '=', handoverId)
    .orderBy('s.version', 'desc')
    .execute();
  return rows.map(({ content, sha256, receipt, receipt_sha256 }) => {
    const { handover: _handover, ...sheet } = SheetContent.parse(JSON.parse(content));
    return { ...sheet, sha256: sha256.toString('hex'), receipt: toReceipt(receipt, receipt_sha256) };
  });
}

function toReceipt(content: string | null, sha256: Buffer | null): HandoverVersion['receipt'] {
  if (content === null || sha256 === null) return null;
  const { received, synthesis } = ReceiptContent.parse(JSON.parse(content));
  return { ...received, synthesis, sha256: sha256.toString('hex') };
}

/** The actions of the newest sheet; those that stood in an earlier one keep what was done. */
export async function storeActions(
  tx: DatabaseTransaction,
  { handover, version, actions }: Pick<SheetContent, 'handover' | 'version' | 'actions'>,
): Promise<void> {
  if (actions.length === 0) return;
  await tx
    .insertInto('handover_actions')
    .values(actions.map(({ id }) => ({ handover_id: handover, action_id: id, sheet_version: version })))
    .onConflict((conflict) =>
      conflict
        .columns(['handover_id', 'action_id'])
        .doUpdateSet((row) => ({ sheet_version: row.ref('excluded.sheet_version') })),
    )
    .execute();
}

/** What was signed of a version, byte for byte; the receipt is null until there is one. */
export async function findSignedTexts(
  db: Database | DatabaseTransaction,
  { handoverId, version }: { readonly handoverId: string; readonly version: number },
): Promise<{ sheetText: string; receiptText: string | null }> {
  return db
    .selectFrom('handover_sheets as s')
    .leftJoin('handover_receipts as r', (join) =>
      join.onRef('r.handover_id', '=', 's.handover_id').onRef('r.version', '=', 's.version'),
    )
    .select(['s.content as sheetText', 'r.content as receiptText'])
    .where('s.handover_id', '=', handoverId)
    .where('s.version', '=', version)
    .executeTakeFirstOrThrow();
}
