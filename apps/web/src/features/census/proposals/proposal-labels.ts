import type { FeedField } from '@wardline/contract/census/census.ts';
import type { Proposal } from '@wardline/contract/census/proposals.ts';
import type { ProposedCount } from '@wardline/contract/census/unit.ts';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period/period.ts';

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
export function proposalPlace({ unit_code, census_date, population: name }: Proposal, newest: string): string {
  return `${unit_code}${name === 'newborn' ? ', newborn' : ''}, ${shortDay(census_date, newest)}`;
}

/** `Patient system says 5 discharges on MED 3A, Tue 17 Nov; signed with 4.` */
export function proposalSentence(proposal: Proposal, newest: string): string {
  return `Patient system says ${formatReceived(proposal.counts)} on ${proposalPlace(proposal, newest)}; signed with ${formatSigned(proposal.counts)}.`;
}

/** `5 discharges and 1 death`. */
export function formatReceived(counts: readonly ProposedCount[]): string {
  return listed(counts.map(({ field, told }) => formatNoun(field, told)));
}

/** `4`, or `4 discharges and 0 deaths` where there are several. */
export function formatSigned(counts: readonly ProposedCount[]): string {
  const [first] = counts;
  if (first && counts.length === 1) return formatCount(first.signed);
  return listed(counts.map(({ field, signed }) => formatNoun(field, signed)));
}

function formatNoun(field: FeedField, count: number): string {
  return `${formatCount(count)} ${NOUNS[field][count === 1 ? 0 : 1]}`;
}

function listed(text: readonly string[]): string {
  return text.length < 2 ? text.join('') : `${text.slice(0, -1).join(', ')} and ${text.at(-1)}`;
}
