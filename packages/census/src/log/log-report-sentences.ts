import { type About, type Piece, strong } from './log-about.ts';
import { firstChanges, formatChange, formatName } from './log-change-labels.ts';
import { changesOf } from './log-changes.ts';
import { formatMonth, withoutStop } from './log-details.ts';

/** A report was begun, saved or changed. */
export function saved({ who, spot, plainPlace, entry, because }: About): Piece[] {
  const changes = changesOf(entry).filter((change) => !change.isComputed);
  const shown = entry.before === null ? [] : changes;
  const end = `${entry.after_approval ? ', after approval' : ''}${because}`;
  if (shown.length === 0) return [entry.before === null ? `${who} began ` : `${who} saved `, ...spot, end];
  const { first, rest } = firstChanges(shown);
  return [
    `${who} changed `,
    ...first.flatMap((text, index) => [index === 0 ? '' : ', ', strong(text)]),
    rest,
    plainPlace === '' ? '' : ` on ${plainPlace}`,
    end,
  ];
}

/** A report was handed in. */
export function submitted({ who, spot, after }: About): Piece[] {
  const closing = typeof after.closing === 'number' ? `, closing ${after.closing}` : '';
  const heads = typeof after.counted === 'number' ? `, counted ${after.counted}` : '';
  const late = after.is_on_time === false ? ', late' : '';
  const asked = Array.isArray(after.confirmed)
    ? `; asked, confirmed: ${after.confirmed.map(String).map(withoutStop).join('; ')}`
    : '';
  return [`${who} submitted `, ...spot, `${closing}${heads}${late}${asked}`];
}

/** A missing unit was estimated. */
export function estimated({ who, spot, entry, after, because }: About): Piece[] {
  const [was, is] = [entry.before?.['estimate'], after.estimate];
  const instead = typeof was === 'number' && was !== is ? ` instead of ${was}` : '';
  return [`${who} estimated `, ...spot, typeof is === 'number' ? ` at ${is}${instead}` : '', because];
}

/** ' of 21', where it is told. */
export function ofCount(count: unknown): string {
  return typeof count === 'number' ? ` of ${count}` : '';
}

/** The opening of a signed report was moved by a correction further back. */
export function restated({ who, spot, entry, after, because }: About): Piece[] {
  const opening = changesOf(entry).find(({ key }) => key === 'opening');
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
export function worked({ who, unit, entry, after }: About): Piece[] {
  const month = formatMonth(after.month);
  const place: Piece[] = [strong('nursing hours'), ' of ', unit, month === '' ? '' : `, ${month}`];
  const changes = changesOf(entry).filter(({ isComputed }) => !isComputed);
  if (changes.length === 0) return [`${who} saved `, ...place];
  const isFirst = entry.before === null;
  const said = changes
    .map((change) => (isFirst ? `${formatName(change.label)} ${change.after}` : formatChange(change)))
    .join(', ');
  return [`${who} ${isFirst ? 'entered' : 'changed'} `, ...place, `: ${said}`];
}
