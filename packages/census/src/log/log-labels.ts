import type { CensusAction, LogEntry } from '@wardline/contract/census/logs.ts';

const REASONS: Readonly<Record<string, string>> = {
  late_slip: 'late slip',
  miscount: 'miscount',
  wrong_unit: 'wrong unit',
  wrong_date: 'wrong date',
  duplicate_entry: 'entered twice',
  patient_system: 'patient system',
  other: 'other',
};

const REFUSALS: Readonly<Record<string, string>> = {
  VERSION_CONFLICT: 'stale version',
  LOCKED: 'the day is locked',
  SELF_APPROVAL: 'one’s own report',
  WRONG_STATUS: 'not possible in its state',
  NOT_YET_DUE: 'the census hour has not passed',
  TRANSFER_UNRECONCILED: 'a transfer gap',
  UNIT_MISSING: 'a unit is missing',
  UNIT_INACTIVE: 'the unit is not active',
  DOUBLE_COUNT: 'a unit counted twice',
  REASON_REQUIRED: 'no reason given',
  forbidden: 'no permission',
  conflict: 'stale version',
};

/** The words of a reason code, in lower case: 'late slip'. An unknown code is said as it is written. */
export function formatReasonCode(code: string): string {
  return REASONS[code] ?? code.replaceAll('_', ' ').toLowerCase();
}

/** Why something was done, short: the words of the code, else the person's own. Null where neither was given. */
export function formatReason({ reason_code, reason }: Pick<LogEntry, 'reason_code' | 'reason'>): string | null {
  if (reason_code !== null && reason_code !== 'other') return formatReasonCode(reason_code);
  const own = reason?.trim().replace(/\.$/, '') ?? '';
  return own === '' ? null : own;
}

/** What a refused act says it was given and what it met. */
interface Refusal {
  readonly refused?: unknown;
  readonly version?: unknown;
}

/** Why something was refused: 'stale version, 3 was given, it is at 4'. Null where the entry does not say. */
export function formatRefusal(entry: Pick<LogEntry, 'before' | 'after' | 'reason_code' | 'reason'>): string | null {
  const { reason_code, reason } = entry;
  const before: Refusal = entry.before ?? {};
  const after: Refusal = entry.after ?? {};
  const code = [after.refused, reason_code].find((given) => typeof given === 'string');
  const text =
    typeof code === 'string' ? (REFUSALS[code] ?? formatReasonCode(code)) : reason?.trim().replace(/\.$/, '');
  if (text === undefined || text === '') return null;
  const [given, stored] = [after.version, before.version];
  const isStale = typeof given === 'number' && typeof stored === 'number' && given !== stored;
  return isStale ? `${text}, ${given} was given, the report is at ${stored}` : text;
}

const ACTIONS: Readonly<Record<CensusAction, string>> = {
  'unit_day.save': 'Saved',
  'unit_day.submit': 'Submitted',
  'unit_day.withdraw': 'Taken back',
  'unit_day.return': 'Returned',
  'unit_day.approve': 'Approved',
  'unit_day.amend': 'Opened for a correction',
  'unit_day.restate': 'Restated',
  'unit_day.lock': 'Report locked',
  'unit_day.estimate': 'Estimated',
  'unit_day.estimate_withdraw': 'Estimate taken back',
  'unit_day.estimate_replace': 'Estimate replaced',
  'transfer.override': 'Transfer gap accepted',
  'snapshot.take': 'Counted',
  'nursing_hours.save': 'Nursing hours',
  'facility_day.sign': 'Day signed',
  'facility_day.lock': 'Day locked',
  'facility_day.reopen': 'Day reopened',
  'reminder.send': 'Reminded',
  'alert.acknowledge': 'Alert acknowledged',
  'settings.change': 'Settings changed',
  'log.view': 'Log viewed',
  'log.verify': 'Log verified',
  'log.export': 'Log exported',
  'log.redact': 'Log shortened',
  'data.export': 'Data exported',
  'data.import': 'Data imported',
  'data.check': 'Data checked',
  'feed.receive': 'Patient system',
  'proposal.raise': 'Correction proposed',
  'proposal.agree': 'Proposal closed automatically',
  'proposal.take': 'Proposal taken',
  'proposal.dismiss': 'Proposal dismissed',
  'stay.ask': 'Unknown patient',
  'stay.settle': 'Unknown patient known',
  'stay.accept': 'Unknown patient counted',
  'stay.dismiss': 'Unknown patient left out',
  print: 'Printed',
};

/** What an action is called where one is chosen. */
export function actionLabel(action: CensusAction): string {
  return ACTIONS[action];
}
