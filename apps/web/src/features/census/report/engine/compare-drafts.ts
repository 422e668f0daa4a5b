import { labelOf } from '@wardline/census/rules.ts';
import { COUNT_FIELDS, type CountField } from '@wardline/contract/census/census.ts';
import { type DraftTransfer, fieldOf, type NumberField, type ReportDraft, type WordField } from './report-draft.ts';

/** A field in which two versions of a report differ. */
export interface Difference {
  readonly key: string;
  readonly label: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** Both changed it: somebody has to choose. */
  readonly isContested: boolean;
}

export type Choice = 'mine' | 'theirs';

interface Versions {
  readonly base: ReportDraft;
  readonly mine: ReportDraft;
  readonly theirs: ReportDraft;
}

const LABELS: Readonly<Record<WordField, string>> = {
  variance_reason: 'Why the head count differs',
  capacity_reason: 'Where the patients over capacity are',
  note: 'Note',
};
const MORE_NUMBERS: Readonly<Record<Exclude<NumberField, CountField>, string>> = {
  seed: 'Opening',
  beds_staffed: 'Staffed beds',
  beds_blocked: 'Blocked beds',
};

interface Part {
  readonly key: string;
  readonly label: string;
  readonly read: (draft: ReportDraft) => string;
  readonly write: (draft: ReportDraft, value: string) => ReportDraft;
}

/** Where mine and theirs differ, field by field, with what both began from. */
export function differencesOf({ base, mine, theirs }: Versions): Difference[] {
  return partsOf([base, mine, theirs]).flatMap(({ key, label, read }) => {
    const sides = { base: read(base), mine: read(mine), theirs: read(theirs) };
    if (sides.mine === sides.theirs) return [];
    return [{ key, label, ...sides, isContested: sides.mine !== sides.base && sides.theirs !== sides.base }];
  });
}

/** Whose word is taken until somebody chooses: that of the only one who changed it, else one's own. */
export function firstChoice({ mine, base }: Difference): Choice {
  return mine === base ? 'theirs' : 'mine';
}

/** Their version with what was chosen of mine. */
export function mergeDrafts(versions: Versions, choices: Readonly<Record<string, Choice>>): ReportDraft {
  const { base, mine, theirs } = versions;
  const parts = partsOf([base, mine, theirs]);
  return parts.reduce(
    (merged, { key, read, write }) => (choices[key] === 'mine' ? write(merged, read(mine)) : merged),
    // Beside other numbers it is asked again.
    { ...theirs, varianceFor: choices['variance_reason'] === 'mine' ? mine.varianceFor : theirs.varianceFor },
  );
}

function partsOf(drafts: readonly ReportDraft[]): Part[] {
  // The totals of transfers follow from the partners; a typed 0 counts where nobody is named.
  const numbers = [...COUNT_FIELDS.map((field) => [field, labelOf(field)] as const), ...Object.entries(MORE_NUMBERS)];
  const text = Object.entries(LABELS) as [WordField, string][];
  return [
    ...(numbers as [NumberField, string][]).map(
      ([field, label]): Part => ({
        key: field,
        label,
        read: (draft) => draft.numbers[field].trim(),
        write: (draft, value) => ({ ...draft, numbers: { ...draft.numbers, [field]: value } }),
      }),
    ),
    ...partnersOf(drafts).map(
      (partner): Part => ({
        key: `${partner.direction} ${partner.unit_id}`,
        label: `Transfers ${partner.direction}, ${partner.unit_code}`,
        read: (draft) => findPartner(draft, partner)?.text.trim() ?? '',
        write: (draft, value) => withPartner(draft, { ...partner, text: value }),
      }),
    ),
    ...text.map(
      ([field, label]): Part => ({
        key: field,
        label,
        read: (draft) => draft.text[field].trim(),
        write: (draft, value) => ({ ...draft, text: { ...draft.text, [field]: value } }),
      }),
    ),
  ];
}

function partnersOf(drafts: readonly ReportDraft[]): DraftTransfer[] {
  const all = drafts.flatMap(({ transfers }) => transfers);
  return all.filter((one, index) => all.findIndex((other) => isPartner(other, one)) === index);
}

type Partner = Pick<DraftTransfer, 'unit_id' | 'direction'>;

function isPartner(one: Partner, other: Partner): boolean {
  return one.unit_id === other.unit_id && one.direction === other.direction;
}

function findPartner(draft: ReportDraft, partner: Partner): DraftTransfer | undefined {
  return draft.transfers.find((one) => isPartner(one, partner));
}

/** The draft with a partner's text, added where the partner is not in it. */
export function withPartner(draft: ReportDraft, partner: DraftTransfer): ReportDraft {
  const transfers = findPartner(draft, partner)
    ? draft.transfers.map((one) => (isPartner(one, partner) ? { ...one, text: partner.text } : one))
    : [...draft.transfers, partner];
  // The number that waited for its partner has found it.
  const numbers = partner.text.trim() === '' ? {} : { [fieldOf(partner.direction)]: '' };
  return { ...draft, numbers: { ...draft.numbers, ...numbers }, transfers };
}
