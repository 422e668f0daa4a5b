import type { Call } from '@wardline/client/http/call.ts';
import { counted } from '@wardline/format/counts.ts';
import { reportTitle } from '#/features/census/core/report-labels.ts';
import type { Device } from '#/shared/contexts/device-context.ts';
import { readKeptDraft } from './kept-draft.ts';
import { draftOfEntry, isSameDraft } from './report-draft.ts';
import { keptNames, reportOutbox } from './report-outbox.ts';

/** What a sign-out drops, in words for a question about it. */
export interface LostReports {
  readonly title: string;
  readonly text: string;
}

/** So many are named. */
const NAMED = 3;

/** Says of which reports something typed is neither on the server nor in the outbox: it goes with the sign-out. */
export async function reportsOnlyHere(device: Device, call: Call): Promise<LostReports | null> {
  const titles = await titlesOnlyHere(device, call);
  if (titles.length === 0) return null;
  const more = titles.length > NAMED ? `; and ${titles.length - NAMED} more` : '';
  const names = titles.slice(0, NAMED).join('; ');
  return {
    title: counted(titles.length, 'report is not saved', 'reports are not saved'),
    text: `${names}${more}: your last changes are only on this device, and signing out deletes them.`,
  };
}

async function titlesOnlyHere({ store, outbox }: Device, call: Call): Promise<string[]> {
  const waiting = reportOutbox(outbox, call).unsent.get();
  const kept = await store.metaWithPrefix(keptNames.drafts);
  return [...kept].flatMap(([name, value]) => {
    const draft = readKeptDraft(value);
    const isWaiting = waiting.some(
      ({ payload }) =>
        keptNames.draft(payload) === name &&
        draft !== null &&
        isSameDraft(draftOfEntry(payload.entry, payload.base), draft.draft),
    );
    return draft === null || isWaiting ? [] : [reportTitle(draft.base)];
  });
}
