import type { CensusAction } from '@wardline/contract/census/logs.ts';
import type { About, Piece } from './log-about.ts';
import { formatRefusal } from './log-labels.ts';

const ACTS: Readonly<Record<CensusAction, string>> = {
  'unit_day.save': 'A save',
  'unit_day.submit': 'Submitting',
  'unit_day.withdraw': 'Taking back',
  'unit_day.return': 'Returning',
  'unit_day.approve': 'Approving',
  'unit_day.amend': 'A correction',
  'snapshot.take': 'A count',
  'nursing_hours.save': 'A change of nursing hours',
  'transfer.override': 'Accepting a transfer gap',
  'facility_day.sign': 'Signing',
  'facility_day.lock': 'Locking',
  'facility_day.reopen': 'Reopening',
  'reminder.send': 'A reminder',
  'alert.acknowledge': 'Acknowledging an alert',
  'settings.change': 'A change of the settings',
  'log.view': 'A view of the log',
  'log.verify': 'A verification of the log',
  'log.export': 'An export of the log',
  'log.redact': 'A removal from the log',
  'data.export': 'An export',
  'data.import': 'An import',
  'data.check': 'A check of the sums',
  'feed.receive': 'A message',
  'proposal.raise': 'A proposed correction',
  'proposal.agree': 'Closing a proposed correction',
  'proposal.take': 'Taking a proposed correction',
  'proposal.dismiss': 'Dismissing a proposed correction',
  'stay.ask': 'A question about an unknown patient',
  'stay.settle': 'Closing a question about an unknown patient',
  'stay.accept': 'Counting an unknown patient',
  'stay.dismiss': 'Leaving an unknown patient out',
  'unit_day.restate': 'A restatement',
  'unit_day.lock': 'Locking',
  'unit_day.estimate': 'An estimate',
  'unit_day.estimate_withdraw': 'Taking back an estimate',
  'unit_day.estimate_replace': 'Replacing an estimate',
  print: 'A print',
};

/** Something was tried and refused, with why. */
export function refused({ entry, who, place }: About): Piece[] {
  const why = formatRefusal(entry);
  // A message is refused for what it says, whoever handed it in; its sender for having no permission.
  const isMessage = entry.action === 'feed.receive' && entry.reason !== null;
  return [
    isMessage ? 'A message of the patient system was refused' : `${ACTS[entry.action]} by ${who} was refused`,
    ...(place.length > 0 ? [' on ', ...place] : []),
    why === null ? '' : `: ${why}`,
  ];
}
