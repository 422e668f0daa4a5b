import { type About, type Piece, strong } from './log-about.ts';
import { changeWords, firstChanges, nameWords } from './log-change-words.ts';
import { changesOf } from './log-changes.ts';
import { monthWords } from './log-details.ts';

/** A report was begun, saved or changed. */
export function saved({ who, spot, plainPlace, facts, because }: About): Piece[] {
  const changes = changesOf(facts).filter((change) => !change.isComputed);
  const shown = facts.before === null ? [] : changes;
  const end = `${facts.after_approval ? ', after approval' : ''}${because}`;
  if (shown.length === 0) return [facts.before === null ? `${who} began ` : `${who} saved `, ...spot, end];
  const { first, rest } = firstChanges(shown);
  return [
    `${who} changed `,
    ...first.flatMap((words, index) => [index === 0 ? '' : ', ', strong(words)]),
    rest,
    plainPlace === '' ? '' : ` on ${plainPlace}`,
    end,
  ];
}

/** A report was handed in. */
export function submitted({ who, spot, after }: About): Piece[] {
  const closing = typeof after.closing === 'number' ? `, closing ${after.closing}` : '';
  const heads = typeof after.counted === 'number' ? `, counted ${after.counted}` : '';
  return [`${who} submitted `, ...spot, `${closing}${heads}${after.is_on_time === false ? ', late' : ''}`];
}

/** A missing unit was estimated. */
export function estimated({ who, spot, facts, after, because }: About): Piece[] {
  const [was, is] = [facts.before?.['estimate'], after.estimate];
  const instead = typeof was === 'number' && was !== is ? ` instead of ${was}` : '';
  return [`${who} estimated `, ...spot, typeof is === 'number' ? ` at ${is}${instead}` : '', because];
}

/** ' of 21', where it is told. */
export function ofCount(count: unknown): string {
  return typeof count === 'number' ? ` of ${count}` : '';
}

/** The opening of a signed report was moved by a correction further back. */
export function restated({ who, spot, facts, after, because }: About): Piece[] {
  const opening = changesOf(facts).find(({ key }) => key === 'opening');
  const batch = after.restatement_no;
  const within = typeof batch === 'number' ? ` in batch ${batch}` : '';
  if (!opening) return [`${who} restated `, ...spot, `${within}${because}`];
  return ['Opening of ', ...spot, `, restated ${opening.before} → ${opening.after}${within}, by ${who}${because}`];
}

/** A count was taken at another hour. */
export function counted({ who, unit, after }: About): Piece[] {
  const blocked = typeof after.blocked === 'number' && after.blocked > 0 ? `, ${after.blocked} blocked` : '';
  return [`${who} counted `, unit, typeof after.occupied === 'number' ? `: ${after.occupied} occupied${blocked}` : ''];
}

/** Nursing hours were told. */
export function worked({ who, unit, facts, after }: About): Piece[] {
  const month = monthWords(after.month);
  const place: Piece[] = [strong('nursing hours'), ' of ', unit, month === '' ? '' : `, ${month}`];
  const changes = changesOf(facts).filter(({ isComputed }) => !isComputed);
  if (changes.length === 0) return [`${who} saved `, ...place];
  const isFirst = facts.before === null;
  const said = changes
    .map((change) => (isFirst ? `${nameWords(change.label)} ${change.after}` : changeWords(change)))
    .join(', ');
  return [`${who} ${isFirst ? 'entered' : 'changed'} `, ...place, `: ${said}`];
}
