import type { CriticalAlert, CriticalCategory, CriticalState, WrongPart } from '@wardline/contract/chat/critical.ts';
import { formatList } from '@wardline/format/names.ts';

export const CATEGORY_LABELS: Readonly<Record<CriticalCategory, { word: string; help: string }>> = {
  minutes: { word: 'Within minutes', help: 'Category 1: life is in danger' },
  hours: { word: 'Within hours', help: 'Category 2: needs treatment today' },
  days: { word: 'Within days', help: 'Category 3: must not be lost' },
};

export const STATE_LABELS: Readonly<Record<CriticalState, string>> = {
  identified: 'Nobody called yet',
  notifying: 'Calling',
  escalated: 'Calling further',
  exhausted: 'Nobody left to call',
  received: 'Received, not read back',
  read_back_ok: 'Read back, not done yet',
  acted: 'Done',
  closed: 'Closed',
  withdrawn: 'Withdrawn',
};

/** What of a read-back did not agree: `the value of Potassium and the patient`. */
export function formatWrong(wrong: readonly WrongPart[]): string {
  return formatList(wrong.map(({ part, label }) => (label === null ? `the ${part}` : `the ${part} of ${label}`)));
}

/** The steps of an alert in their order, each with when it was reached. */
export function criticalSteps({ times }: Pick<CriticalAlert, 'times'>): { label: string; at: string | null }[] {
  return [
    { label: 'Identified', at: times.identified_at },
    { label: 'Notified', at: times.notified_at },
    { label: 'Received', at: times.received_at },
    { label: 'Read back', at: times.read_back_at },
    { label: 'Done', at: times.acted_at },
  ];
}
