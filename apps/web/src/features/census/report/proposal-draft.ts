import type { ProposedCount, UnitDay } from '@wardline/contract/census-unit.ts';
import { feedDraft, type ReportDraft } from './engine/report-draft.ts';

/** The draft with what is proposed in place of what was signed; all else stays as it is. */
export function proposedDraft(
  draft: ReportDraft,
  counts: readonly ProposedCount[],
  feed: UnitDay['feed'],
): ReportDraft {
  const numbers = { ...draft.numbers };
  for (const { field, told } of counts) numbers[field] = String(told);
  const moved = counts.flatMap(({ field }) => {
    if (field === 'transfers_in') return ['in'];
    return field === 'transfers_out' ? ['out'] : [];
  });
  if (!feed || moved.length === 0) return { ...draft, numbers };
  // A count of transfers is the sum over the partners, and only the feed knows them.
  const said = feedDraft(draft, feed).transfers.filter(({ direction }) => moved.includes(direction));
  const kept = draft.transfers.filter(({ direction }) => !moved.includes(direction));
  return { ...draft, numbers, transfers: [...kept, ...said] };
}
