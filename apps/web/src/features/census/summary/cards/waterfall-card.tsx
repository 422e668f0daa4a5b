import { toldFields } from '@wardline/census/report-figures.ts';
import { labelOf } from '@wardline/census/rules.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { Waterfall, type WaterfallStep } from '@wardline/ui/chart/waterfall.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import { formatCount } from '#/features/census/core/format-figure.ts';

const MOVES = [
  ['admissions', 'in'],
  ['births', 'in'],
  ['transfers_in', 'in'],
  ['discharges', 'out'],
  ['deaths', 'out'],
  ['transfers_out', 'out'],
] as const;

/** The day as one balance: opening + in − out → closing, over the reports that are in. */
export function WaterfallCard({ day }: { day: FacilityDay }) {
  const units = day.units.filter(({ status }) => isHandedIn(status));
  if (units.length === 0) return null;
  const steps = balanceSteps(units);
  return (
    <ChartCard
      title="The day’s balance"
      aside={<LeftOut reported={day.units_submitted} expected={day.units_expected} />}
      table={
        <Table
          caption="The day’s balance"
          isDense
          rows={steps}
          rowKey={({ key }) => key}
          columns={[
            { key: 'label', head: 'Step', cell: ({ label }) => label },
            { key: 'value', head: 'Patients', isNumeric: true, cell: ({ value }) => formatCount(value) },
          ]}
        />
      }
    >
      <Waterfall steps={steps} unitLabel="patients" />
    </ChartCard>
  );
}

/** The steps of a balance over some reports, without those that none of them tells; a count that one of them lacks is not known. */
export function balanceSteps(units: readonly UnitOfDay[]): WaterfallStep[] {
  const sum = (countOf: (unit: UnitOfDay) => number | null) =>
    units.reduce<number | null>((total, unit) => {
      const value = countOf(unit);
      return total === null || value === null ? null : total + value;
    }, 0);
  return [
    { key: 'opening', label: 'Opening', kind: 'total', value: sum(({ opening }) => opening) },
    ...MOVES.filter(([field]) => units.some((unit) => toldFields(unit).includes(field))).map(([field, kind]) => ({
      key: field,
      label: labelOf(field),
      kind,
      value: sum(({ counts }) => counts[field]),
    })),
    { key: 'closing', label: 'Closing', kind: 'total', value: sum(({ closing }) => closing) },
  ];
}
