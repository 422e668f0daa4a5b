import { formatReasonCode } from '@wardline/census/log/log-labels.ts';
import { figureLabel } from '@wardline/census/report-figures.ts';
import type { Amendment, Restated, UnitDay } from '@wardline/contract/census/unit.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { counted, formatCount } from './format-figure.ts';

type Change = Amendment['changes'][number];

/** That a report is a correction, why it was made and what it changes, and what its approval does to later days. */
export function CorrectionNotice({ amendment, restates }: Pick<UnitDay, 'amendment' | 'restates'>) {
  return (
    <>
      {amendment && (
        <Banner tone="warning" title={amendmentTitle(amendment)} announce="none">
          {amendment.reason}
          {amendment.changes.length === 0 && ' No figure differs from what was approved.'}
        </Banner>
      )}
      {amendment && amendment.changes.length > 0 && (
        <Table
          caption="What the correction changes"
          columns={COLUMNS}
          rows={amendment.changes}
          rowKey={({ field }) => field}
          isDense
        />
      )}
      {restates && (restates.days > 0 || restates.ask) && (
        <Banner tone="warning" announce="none">
          {formatRestated(restates)}
          {restates.ask && ` Who approves it must be able to reopen signed days: ${formatAsked(restates.ask)}.`}
        </Banner>
      )}
    </>
  );
}

function amendmentTitle({ reason_code }: Amendment): string {
  return reason_code === 'other' ? 'Correction.' : `Correction, ${formatReasonCode(reason_code)}.`;
}

const COLUMNS: readonly TableColumn<Change>[] = [
  { key: 'field', head: 'Figure', cell: ({ field }) => figureLabel(field) },
  { key: 'from', head: 'Approved', isNumeric: true, cell: ({ from }) => formatValue(from) },
  { key: 'to', head: 'Now', isNumeric: true, cell: ({ to }) => <b>{formatValue(to)}</b> },
];

function formatValue(value: Change['from']): string {
  return typeof value === 'string' ? value : formatCount(value);
}

function formatRestated({ days, signed }: Restated): string {
  const later = `Approving changes the opening of ${counted(days, 'later day')}`;
  if (days === 0) return 'Once approved, a signed or locked day opens with this one.';
  if (signed === 0) return `${later}.`;
  if (signed < days) return `${later}, ${formatCount(signed)} of them signed or locked.`;
  return days === 1 ? `${later}, which is signed or locked.` : `${later}, all of them signed or locked.`;
}

function formatAsked(people: NonNullable<Restated['ask']>): string {
  return people.length === 0
    ? 'no one can yet, ask an administrator'
    : `ask ${people.map(({ name }) => name).join(' or ')}`;
}

/** The words of the button that approves: what else it changes stands in them. */
export function approveLabel(name: string, restates: UnitDay['restates']): string {
  return restates && restates.days > 0
    ? `Approve ${name} and change ${counted(restates.days, 'later day')}`
    : `Approve ${name}`;
}
