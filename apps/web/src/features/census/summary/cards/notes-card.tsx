import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { counted, formatCount } from '#/features/census/core/format-figure.ts';
import { fullDay } from '#/features/census/core/period/period.ts';

interface NotesCardProps {
  readonly summary: CensusSummary;
  /** Shows one census date. */
  readonly onOpenDay: (date: string) => void;
}

/** What somebody has to know who reads these figures: gaps that were accepted, numbers that moved, reports that lack. */
export function NotesCard({ summary, onOpenDay }: NotesCardProps) {
  const { overrides, missing, restated_unit_days: restated, amended_since_signed: amended } = summary;
  const isDay = summary.from === summary.to;
  return (
    <Card>
      <CardHead level={2} title="To know about these figures" />
      <ul className="list sum-notes">
        <li>
          {restated === 0
            ? 'No report was restated.'
            : `${counted(restated, 'report')} restated: an earlier day was corrected, and the opening moved.`}
        </li>
        <li>
          {amended === 0
            ? 'Nothing was changed after its day was signed.'
            : `${counted(amended, 'report')} changed after the day was signed.`}
        </li>
        {overrides.map(({ census_date, transfer_gap, reason, by }) => (
          <li key={census_date}>
            <span className="num">
              {!isDay && `${fullDay(census_date)}: `}
              transfer gap {formatCount(transfer_gap)}, accepted by {by?.name ?? 'someone who left'}: {reason}
            </span>
          </li>
        ))}
        {!isDay &&
          missing.map(({ unit_id, unit_code, population: name, census_date }) => (
            <li key={`${unit_id} ${name} ${census_date}`} className="row wrap">
              <span className="c-error">
                {unit_code}
                {name === 'newborn' && ', newborn,'} is missing
              </span>
              <Button variant="link" onClick={() => onOpenDay(census_date)}>
                {fullDay(census_date)}
              </Button>
            </li>
          ))}
      </ul>
    </Card>
  );
}
