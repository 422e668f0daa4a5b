import type { FeedField } from '@wardline/contract/census.ts';
import type { Proposal } from '@wardline/contract/census-proposals.ts';
import type { ProposedCount } from '@wardline/contract/census-unit.ts';
import { countWords } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period.ts';

const NOUNS: Readonly<Record<FeedField, readonly [one: string, many: string]>> = {
  admissions: ['admission', 'admissions'],
  births: ['birth', 'births'],
  transfers_in: ['transfer in', 'transfers in'],
  discharges: ['discharge', 'discharges'],
  deaths: ['death', 'deaths'],
  deaths_u48: ['death under 48 h', 'deaths under 48 h'],
  transfers_out: ['transfer out', 'transfers out'],
  ad_same_day: ['admitted and discharged same day', 'admitted and discharged same day'],
  on_leave: ['on leave', 'on leave'],
};

/** `MED 3A, Tue 17 Nov`: which report, among those of a facility. */
export function proposalPlace({ unit_code, census_date, class: name }: Proposal, newest: string): string {
  return `${unit_code}${name === 'newborn' ? ', newborn' : ''}, ${shortDay(census_date, newest)}`;
}

/** `Patient system says 5 discharges on MED 3A, Tue 17 Nov; signed with 4.` */
export function proposalSentence(proposal: Proposal, newest: string): string {
  return `Patient system says ${toldWords(proposal.counts)} on ${proposalPlace(proposal, newest)}; signed with ${signedWords(proposal.counts)}.`;
}

/** `5 discharges and 1 death`. */
export function toldWords(counts: readonly ProposedCount[]): string {
  return listed(counts.map(({ field, told }) => nounWords(field, told)));
}

/** `4`, or `4 discharges and 0 deaths` where there are several. */
export function signedWords(counts: readonly ProposedCount[]): string {
  const [first] = counts;
  if (first && counts.length === 1) return countWords(first.signed);
  return listed(counts.map(({ field, signed }) => nounWords(field, signed)));
}

function nounWords(field: FeedField, count: number): string {
  return `${countWords(count)} ${NOUNS[field][count === 1 ? 0 : 1]}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
