import type { CensusFeed, FeedUnit, RefusedMessage } from '@wardline/contract/census/feed.ts';
import { counted } from '@wardline/format/counts.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { dayIn, timeIn } from '#/shared/time/zoned-time.ts';

/** 'Thu 19 Nov, 10:15' by the facility's clock. */
export function formatInstant(instant: string, zone: string, today: string): string {
  const at = Date.parse(instant);
  return `${shortDay(dayIn(zone, at), today)}, ${timeIn(zone, at)}`;
}

/** 'MED 3A newborn'. */
export function feedUnitName({ unit_code, population }: FeedUnit): string {
  return population === 'newborn' ? `${unit_code} newborn` : unit_code;
}

/** By how many the patient system differs from the newest report; null where there is no report. */
export function differenceOf({ closing, told }: FeedUnit): number | null {
  return closing === null ? null : told - closing;
}

/** What stands in the way of starting; null where nothing does. */
export function whyNotSeeded({ units }: CensusFeed): string | null {
  const patients = units.reduce((sum, { closing }) => sum + (closing ?? 0), 0);
  if (patients === 0 || units.some(({ told }) => told > 0)) return null;
  const many = counted(patients, 'patient is', 'patients are');
  return `By the newest reports ${many} in, and the patient system knows of none. Bring in who is in first.`;
}

const ADVICE: Readonly<Record<number, string>> = {
  100: 'It came cut or is no HL7. Ask the patient system’s team to send it again, whole.',
  101: 'Ask the patient system’s team to fill the field and send the message again.',
  102: 'Check how the patient system writes times, its clock and its time zone. If it was only ahead of time, try again later.',
  103: 'Add the unit under Units, or give it the code that the patient system uses. Then try again.',
  200: 'The census needs admissions, moves and discharges only. Ask them to stop sending this kind.',
  201: 'The census does not need this kind of message. Ask them to stop sending it.',
  202: 'A message for training. Ask them to send those elsewhere.',
  203: 'Ask them to send HL7 version 2.',
  205: 'Ask the patient system’s team to give each message a number of its own (MSH-10), and to send this one again.',
};

/** The same for a result of the laboratory. */
const ADVICE_FOR_RESULT: Readonly<Record<number, string>> = {
  100: 'It came cut or is no HL7. Ask the laboratory’s team to send it again, whole.',
  101: 'Ask the laboratory’s team to fill the field and send the result again.',
  102: 'Ask the laboratory’s team to mend it. If its clock was only ahead of time, try again later.',
  103: 'Ask the laboratory’s team to send a status of HL7 table 0123.',
  201: 'Only results are taken of a laboratory. Ask them to stop sending this kind.',
  202: ADVICE[202] ?? '',
  203: ADVICE[203] ?? '',
  207: 'Assign the results that wait, or set them aside, under Laboratory results. Then try again.',
};

/** What to do about a refused message, for somebody who is no engineer. */
export function adviceFor({ answer, error_code, can_retry, kind }: RefusedMessage): string {
  const isResult = kind?.startsWith('ORU') ?? false;
  const sender = isResult ? 'laboratory' : 'patient system';
  if (!can_retry && answer === 'AE') return `Only its beginning was kept. Ask the ${sender}’s team to send it again.`;
  return (isResult ? ADVICE_FOR_RESULT : ADVICE)[error_code] ?? 'Try again. If it is refused again, it says more.';
}

/** Whether something in this facility can be mended so that it is taken. */
export function isWorthRetrying({ answer, can_retry }: RefusedMessage): boolean {
  return can_retry && answer === 'AE';
}
