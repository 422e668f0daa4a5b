import type { Transfer, UnitDay } from '@wardline/contract/census/unit.ts';
import type { Direction, DraftTransfer, ReportDraft } from './engine/report-draft.ts';

/** What the partner says of a move, where the report says nothing of it or something else; null where nothing is open. */
function openWord(mine: DraftTransfer, known: readonly Transfer[]): number | null {
  const { theirs = null } =
    known.find(({ unit_id, direction }) => unit_id === mine.unit_id && direction === mine.direction) ?? {};
  const said = mine.text.trim();
  return theirs === null || said === String(theirs) || (said === '' && theirs === 0) ? null : theirs;
}

/** The partners behind a direction: `2 from ED, ICU says it sent 1`. */
export function formatPartner(day: UnitDay, { transfers }: ReportDraft, direction: Direction): string {
  const [word, act] = direction === 'in' ? ['from', 'sent'] : ['to', 'received'];
  const said = transfers
    .filter((transfer) => transfer.direction === direction)
    .flatMap((mine) => {
      const count = mine.text.trim();
      const own = count === '' || count === '0' ? [] : [`${count} ${word} ${mine.unit_code}`];
      const theirs = openWord(mine, day.transfers);
      return theirs === null ? own : [...own, `${mine.unit_code} says it ${act} ${theirs}`];
    });
  return said.length === 0 ? 'by partner unit' : said.join(', ');
}

/** The moves of which partners tell and this report says nothing yet: `2 in from ED, 1 out to ICU`; null without any. */
export function formatUnanswered(day: UnitDay, { transfers }: ReportDraft): string | null {
  const open = transfers.flatMap((mine) => {
    const theirs = mine.text.trim() === '' ? openWord(mine, day.transfers) : null;
    return theirs === null ? [] : [`${theirs} ${mine.direction === 'in' ? 'in from' : 'out to'} ${mine.unit_code}`];
  });
  return open.length === 0 ? null : open.join(', ');
}
