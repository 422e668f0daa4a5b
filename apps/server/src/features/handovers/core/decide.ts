import { type HandoverProgress, transition, type WantedHandoverEvent } from '@wardline/examination/handover.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { HandoverRecord } from './handover-queries.ts';
import { listVersions } from './sheet-queries.ts';

/** What it becomes; who saw another state is told in words what it is now (409). */
export async function decide(
  tx: DatabaseTransaction,
  handover: HandoverRecord,
  wanted: WantedHandoverEvent,
): Promise<{ readonly next: HandoverProgress }> {
  const { state, version, sheet_version: sheetVersion } = handover.summary;
  const change = transition({ state, version, sheetVersion }, wanted);
  if (change.kind === 'no_text') throw invalidField('text', 'Say it in words.');
  if (change.kind !== 'changed') throw new AppError('conflict', { message: await formatState(tx, handover) });
  return change;
}

async function formatState(tx: DatabaseTransaction, { summary, ended }: HandoverRecord): Promise<string> {
  if (ended) return `${ended.by.name} has ${summary.state} it meanwhile. Nothing else was changed.`;
  if (summary.state === 'given') return `${summary.from} has corrected it meanwhile. Read it again first.`;
  const [newest] = await listVersions(tx, summary.id);
  return `${newest?.receipt?.by.name ?? summary.to} has received it meanwhile. Nothing else was changed.`;
}
