import { NO_COUNTS, nilCounts, parseCount } from '@wardline/census/balance.ts';
import { varianceOf } from '@wardline/census/report-figures.ts';
import { askedReasons, differenceOf, isOfOtherNumbers, labelOf, type ReportInput } from '@wardline/census/rules.ts';
import { COUNT_FIELDS, type CountField, type Counts, type Finding, mostOf } from '@wardline/contract/census/census.ts';
import type { FeedDay, GivenTransfer, UnitDay, UnitDayEntry } from '@wardline/contract/census/unit.ts';

/** What is typed as a number; transfers are typed by partner. */
export type NumberField = CountField | 'seed' | 'beds_staffed' | 'beds_blocked';
/** What is typed as words. */
export type WordField = 'variance_reason' | 'capacity_reason' | 'note';
export type Direction = GivenTransfer['direction'];

/** One partner unit in one direction, as typed. */
export interface DraftTransfer {
  readonly unit_id: string;
  readonly unit_code: string;
  readonly direction: Direction;
  readonly text: string;
}

/** A report as somebody types it: texts, right or wrong. */
export interface ReportDraft {
  readonly numbers: Readonly<Record<NumberField, string>>;
  readonly text: Readonly<Record<WordField, string>>;
  /** By how many the head count differed when its reason was typed; null without a reason, or while the numbers are not complete. */
  readonly varianceFor: number | null;
  readonly transfers: readonly DraftTransfer[];
}

const textOf = (count: number | null | undefined): string => (typeof count === 'number' ? String(count) : '');
export const fieldOf = (direction: Direction) => (direction === 'in' ? 'transfers_in' : 'transfers_out');

/** True of a unit's first report: nothing is carried forward to it, so its opening is typed, and can be typed anew. */
export function isFirstReport({ opening_from }: Pick<UnitDay, 'opening_from'>): boolean {
  return opening_from === null;
}

const isSaid =
  (wanted: Direction) =>
  ({ direction, mine }: UnitDay['transfers'][number]): boolean =>
    direction === wanted && mine !== null;

/** The draft with which a report opens. */
export function draftOf(day: UnitDay): ReportDraft {
  const counts = Object.fromEntries(COUNT_FIELDS.map((field) => [field, textOf(day.counts[field])]));
  return {
    numbers: {
      ...(counts as Record<CountField, string>),
      ...(day.population === 'newborn' ? {} : { births: '0' }),
      // The partners say these two; without any, what is typed stands here.
      ...(day.transfers.some(isSaid('in')) ? { transfers_in: '' } : {}),
      ...(day.transfers.some(isSaid('out')) ? { transfers_out: '' } : {}),
      seed: isFirstReport(day) ? textOf(day.opening) : '',
      beds_staffed: textOf(day.beds.staffed),
      beds_blocked: textOf(day.beds.blocked),
    },
    text: {
      variance_reason: day.variance_reason ?? '',
      capacity_reason: day.capacity_reason ?? '',
      note: day.note ?? '',
    },
    // An older server does not say it: what it stores stands together.
    varianceFor:
      day.variance_reason === null ? null : day.variance_for === undefined ? varianceOf(day) : day.variance_for,
    transfers: day.transfers.map(({ unit_id, unit_code, direction, mine }) => ({
      unit_id,
      unit_code,
      direction,
      text: textOf(mine),
    })),
  };
}

/** The draft an unsent report was made of. */
export function draftOfEntry(entry: Omit<UnitDayEntry, 'client_id'>, base: UnitDay): ReportDraft {
  const said = (unitId: string, direction: Direction) =>
    entry.transfers.find((given) => given.unit_id === unitId && given.direction === direction);
  const added = entry.transfers.filter(
    (given) =>
      !base.transfers.some(({ unit_id, direction }) => unit_id === given.unit_id && direction === given.direction),
  );
  const draft = draftOf({
    ...base,
    counts: entry.counts,
    variance_reason: entry.variance_reason ?? null,
    capacity_reason: entry.capacity_reason ?? null,
    note: entry.note ?? null,
    transfers: [
      ...base.transfers.map((transfer) => ({
        ...transfer,
        mine: said(transfer.unit_id, transfer.direction)?.count ?? null,
      })),
      ...added.map(({ unit_id, direction, count }) => ({
        unit_id,
        unit_code: '',
        direction,
        mine: count,
        theirs: null,
        partner_status: null,
      })),
    ],
  });
  const { seed = null, beds_staffed = null, beds_blocked = null } = entry;
  return {
    ...draft,
    varianceFor: entry.variance_for ?? null,
    numbers: {
      ...draft.numbers,
      seed: textOf(seed),
      ...(beds_staffed === null ? {} : { beds_staffed: textOf(beds_staffed) }),
      ...(beds_blocked === null ? {} : { beds_blocked: textOf(beds_blocked) }),
    },
  };
}

/** Nobody came and nobody left; who is in the unit still has to be counted. */
export function nilDraft(draft: ReportDraft): ReportDraft {
  const counts = nilCounts();
  const numbers = { ...draft.numbers, discharge_days: '' };
  for (const field of COUNT_FIELDS) if (counts[field] !== null) numbers[field] = textOf(counts[field]);
  return { ...draft, numbers, transfers: draft.transfers.map((transfer) => ({ ...transfer, text: '' })) };
}

/** What the patient system says, in place of what is typed: everything but what only a walk through the unit tells. */
export function feedDraft(
  draft: ReportDraft,
  { counts, beds_blocked, transfers, discharge_days = null }: FeedDay,
): ReportDraft {
  const said = Object.fromEntries(Object.entries(counts).map(([field, count]) => [field, textOf(count)]));
  const stays = discharge_days === null ? {} : { discharge_days: textOf(discharge_days) };
  return {
    ...draft,
    numbers: { ...draft.numbers, ...said, ...stays, beds_blocked: textOf(beds_blocked) },
    transfers: transfers.map(({ count, ...transfer }) => ({ ...transfer, text: textOf(count) })),
  };
}

/** Whether the days that the discharged had stayed are asked for: by the facility, or because somebody has told them. */
export function asksDischargeDays({ asks_discharge_days, feed, counts }: UnitDay): boolean {
  const isTold = typeof feed?.discharge_days === 'number' || typeof counts.discharge_days === 'number';
  return asks_discharge_days === true || isTold;
}

/** True where filling a draft in took something away that was typed. */
export function isOverwritten(before: ReportDraft, after: ReportDraft): boolean {
  const said = (text: string) => String(parseCount(text) ?? text.trim());
  const isGone = (typed: string, now: string) => typed.trim() !== '' && said(typed) !== said(now);
  return (
    COUNT_FIELDS.some((field) => isGone(before.numbers[field], after.numbers[field])) ||
    before.transfers.some((typed) => isGone(typed.text, textOfPartner(after, typed)))
  );
}

function textOfPartner({ transfers }: ReportDraft, { unit_id, direction }: DraftTransfer): string {
  return transfers.find((one) => one.unit_id === unit_id && one.direction === direction)?.text ?? '';
}

/** What stood there before it was filled in; the head count and the words that were typed since stay. */
export function withCountsOf(draft: ReportDraft, before: ReportDraft): ReportDraft {
  const numbers = { ...before.numbers, counted: draft.numbers.counted };
  return { ...draft, numbers, transfers: before.transfers };
}

/** How many moved in a direction: the sum of the partners, or the 0 that was typed; null where nothing is said. */
export function transferTotal(draft: ReportDraft, direction: Direction): number | null {
  const said = givenTransfers(draft).filter((transfer) => transfer.direction === direction);
  if (said.length > 0) return said.reduce((sum, { count }) => sum + count, 0);
  return parseCount(draft.numbers[fieldOf(direction)]) === 0 ? 0 : null;
}

function givenTransfers({ transfers }: ReportDraft): GivenTransfer[] {
  return transfers.flatMap(({ unit_id, direction, text }) => {
    const count = parseCount(text);
    return typeof count === 'number' ? [{ unit_id, direction, count }] : [];
  });
}

/** The counts as far as they are counts. */
export function countsOf(draft: ReportDraft): Counts {
  const counts: Record<CountField, number | null> = { ...NO_COUNTS };
  for (const field of COUNT_FIELDS) counts[field] = parseCount(draft.numbers[field], field) ?? null;
  return { ...counts, transfers_in: transferTotal(draft, 'in'), transfers_out: transferTotal(draft, 'out') };
}

/** What the unit opened with: carried forward, or typed with its first report ever. */
export function openingOf(draft: ReportDraft, day: UnitDay): number | null {
  return isFirstReport(day) ? (parseCount(draft.numbers.seed) ?? null) : day.opening;
}

/** What the rules of a report look at. */
export function toReportInput(draft: ReportDraft, day: UnitDay): ReportInput {
  return {
    unit_id: day.unit_id,
    population: day.population,
    opening: openingOf(draft, day),
    // The server carries the opening forward; there is nothing on the device to compare it with.
    previous_closing: null,
    counts: countsOf(draft),
    transfers: givenTransfers(draft),
    beds: {
      ...day.beds,
      staffed: parseCount(draft.numbers.beds_staffed) ?? day.beds.staffed,
      blocked: parseCount(draft.numbers.beds_blocked) ?? day.beds.blocked,
    },
    variance_reason: draft.text.variance_reason,
    variance_for: draft.varianceFor,
    capacity_reason: draft.text.capacity_reason,
    is_last_day: day.is_last_day,
  };
}

/** By how many the head count of a draft differs; null while one of the two numbers is not known. */
function differenceIn(draft: ReportDraft, day: UnitDay): number | null {
  return differenceOf({ opening: openingOf(draft, day), counts: countsOf(draft) });
}

/**
 * What a change makes of the draft: a reason belongs to the numbers that stand there when it is typed, and stays theirs when
 * they change. Where the change says itself to which it belongs, it is that.
 */
export function withReasonOf(before: ReportDraft, after: ReportDraft, day: UnitDay): ReportDraft {
  const reason = after.text.variance_reason;
  if (reason.trim() === '') return after.varianceFor === null ? after : { ...after, varianceFor: null };
  if (after.varianceFor !== before.varianceFor) return after;
  if (reason !== before.text.variance_reason) return { ...after, varianceFor: differenceIn(after, day) };
  return after.varianceFor === null ? { ...after, varianceFor: differenceIn(before, day) } : after;
}

/** The same reason, said of the numbers that stand there now. */
export function withReasonKept(draft: ReportDraft, day: UnitDay): ReportDraft {
  return { ...draft, varianceFor: differenceIn(draft, day) };
}

/** Whether the reason that stands there was given for other numbers, and has to be given anew or kept. */
export function isReasonOfOtherNumbers(draft: ReportDraft, day: UnitDay): boolean {
  return isOfOtherNumbers(toReportInput(draft, day));
}

/** The draft without words for a difference that is gone: they are hidden, and would be stored beside numbers that agree. */
export function withoutStaleReasons(draft: ReportDraft, day: UnitDay): ReportDraft {
  const asked = askedReasons(toReportInput(draft, day));
  const isStale = (field: keyof typeof asked) => asked[field] === false && draft.text[field] !== '';
  const stale = (['variance_reason', 'capacity_reason'] as const).filter(isStale);
  if (stale.length === 0) return draft;
  const text = { ...draft.text, ...Object.fromEntries(stale.map((field) => [field, ''])) };
  return { ...draft, text, varianceFor: text.variance_reason === '' ? null : draft.varianceFor };
}

/** Transfers of which only the number is typed: who is behind it has to be said before it can leave. */
export function isUnplaced(draft: ReportDraft, direction: Direction): boolean {
  const isPlaced = givenTransfers(draft).some((given) => given.direction === direction);
  return !isPlaced && (parseCount(draft.numbers[fieldOf(direction)]) ?? 0) > 0;
}

/** What is typed and no count, transfers of nobody, and beds that were rubbed out: kept as it is, and said. */
export function wrongTexts(draft: ReportDraft): Finding[] {
  const fields = (Object.keys(draft.numbers) as NumberField[]).filter(
    (field) => parseCount(draft.numbers[field], field) === undefined,
  );
  const blank = (['beds_staffed', 'beds_blocked'] as const).filter((field) => draft.numbers[field].trim() === '');
  const partners = draft.transfers.filter(({ text }) => parseCount(text) === undefined);
  const wrong = new Set<string>([...fields, ...partners.map(({ direction }) => fieldOf(direction))]);
  return [
    ...[...wrong].map((field) => ({
      code: 'INVALID_COUNT' as const,
      field,
      message: `${wordsOf(field)} must be a whole number from 0 to ${mostOf(field)}.`,
    })),
    ...blank.map((field) => ({
      code: 'MISSING_VALUE' as const,
      field,
      message: `${wordsOf(field)} not entered. Enter 0 if there are none.`,
    })),
    ...(['in', 'out'] as const)
      .filter((direction) => isUnplaced(draft, direction))
      .map((direction) => ({
        code: 'MISSING_VALUE' as const,
        field: fieldOf(direction),
        message: direction === 'in' ? 'Enter which unit sent them.' : 'Enter which unit received them.',
      })),
  ];
}

function wordsOf(field: string): string {
  if (field === 'seed') return 'Opening';
  if (field === 'beds_staffed') return 'Staffed beds';
  if (field === 'beds_blocked') return 'Blocked beds';
  return labelOf(field as CountField);
}

/** What is sent of a draft; what is no count is left out. */
export function entryOf(draft: ReportDraft, base: UnitDay): Omit<UnitDayEntry, 'client_id' | 'submit'> {
  const text = (field: WordField) => draft.text[field].trim() || null;
  return {
    version: base.version,
    counts: countsOf(draft),
    ...(isFirstReport(base) ? { seed: parseCount(draft.numbers.seed) ?? null } : {}),
    transfers: givenTransfers(draft),
    beds_staffed: parseCount(draft.numbers.beds_staffed) ?? null,
    beds_blocked: parseCount(draft.numbers.beds_blocked) ?? null,
    variance_reason: text('variance_reason'),
    ...(draft.varianceFor === null ? {} : { variance_for: draft.varianceFor }),
    capacity_reason: text('capacity_reason'),
    note: text('note'),
  };
}

/** True where two drafts say the same: 03 is 3, and words are trimmed. */
export function isSameDraft(one: ReportDraft, other: ReportDraft): boolean {
  const [mine, theirs] = [one.varianceFor, other.varianceFor];
  const isSameReason = mine === null || theirs === null || mine === theirs;
  return isSameReason && JSON.stringify(sayingOf(one)) === JSON.stringify(sayingOf(other));
}

function sayingOf(draft: ReportDraft): unknown {
  const said = (text: string) => String(parseCount(text) ?? text.trim());
  const { transfers_in: _in, transfers_out: _out, ...numbers } = draft.numbers;
  const partners = draft.transfers.filter(({ text }) => text.trim() !== '');
  return [
    Object.entries(numbers)
      .map(([field, text]) => `${field} ${said(text)}`)
      .toSorted(),
    Object.entries(draft.text)
      .map(([field, text]) => `${field} ${text.trim()}`)
      .toSorted(),
    partners.map(({ unit_id, direction, text }) => `${direction} ${unit_id} ${said(text)}`).toSorted(),
    ...(['in', 'out'] as const).map((direction) =>
      isUnplaced(draft, direction) ? `? ${draft.numbers[fieldOf(direction)]}` : transferTotal(draft, direction),
    ),
  ];
}

/** The partners of a newer answer, with what was typed for them. */
export function withPartnersOf(draft: ReportDraft, day: UnitDay): ReportDraft {
  const missing = draftOf(day).transfers.filter(
    ({ unit_id, direction }) =>
      !draft.transfers.some((typed) => typed.unit_id === unit_id && typed.direction === direction),
  );
  if (missing.length === 0) return draft;
  return { ...draft, transfers: [...draft.transfers, ...missing.map((transfer) => ({ ...transfer, text: '' }))] };
}
