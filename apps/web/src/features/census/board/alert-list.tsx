import type { CensusAlert } from '@wardline/contract/census/board.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { formatDay } from '#/shared/time/zoned-time.ts';
import { isAlertOf } from './board-figures.ts';
import { formatAgo } from './board-labels.ts';
import { type Board, useAcknowledge } from './use-board.ts';

/** What each rule watches, in words. */
const formatRule: Readonly<Record<CensusAlert['rule'], string>> = {
  over_high: 'Occupancy',
  over_staffed: 'Over staffed beds',
  report_missing: 'Report missing',
  transfer_gap: 'Transfer gap',
  head_count_variance: 'Head count',
  often_restated: 'Often restated',
  forecast_breach: 'Forecast',
  feed_silent: 'Patient system',
  feed_refused: 'Patient system',
};

/** What asks to be looked at, those nobody has taken on first. Nothing is shown where nothing asks. */
export function AlertList({ board, now }: { board: Board; now: number }) {
  // A report that is missing today stands on its unit's card.
  const elsewhere = board.alerts.filter((alert) => !board.units.some((unit) => isAlertOf(alert, board, unit)));
  const alerts = elsewhere.toSorted(
    (a, b) =>
      Number(a.acknowledged_at !== null) - Number(b.acknowledged_at !== null) || b.raised_at.localeCompare(a.raised_at),
  );
  if (alerts.length === 0) return null;
  const open = alerts.filter(({ acknowledged_at }) => acknowledged_at === null).length;
  return (
    <section aria-labelledby="census-alerts">
      <SectionHead
        id="census-alerts"
        title="Alerts"
        mark={<Pill tone="error" count={open} label={`${open} not acknowledged`} />}
      />
      <Card>
        <ul className="list">
          {alerts.map((alert) => (
            <li key={alert.id}>
              <AlertRow alert={alert} board={board} now={now} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function AlertRow({ alert, board, now }: { alert: CensusAlert; board: Board; now: number }) {
  const acknowledge = useAcknowledge(board.facility_id);
  const { run, isBusy, error } = useAction(() => acknowledge(alert));
  const isOnline = useOnline();
  const isOpen = alert.acknowledged_at === null;
  const place = alert.population === 'newborn' ? `${alert.unit_code} newborn` : alert.unit_code;
  const about = [place, formatDay(alert.census_date, board.census_date)].filter(Boolean).join(', ');
  return (
    <ListRow
      className="bd-alert"
      urgency={isOpen ? 'soon' : undefined}
      urgencyWord={isOpen ? formatRule[alert.rule] : undefined}
      title={alert.message}
      meta={formatAgo(alert.raised_at, now, board.time_zone)}
      text={
        error ??
        (isOpen
          ? about
          : `${about} · acknowledged by ${alert.acknowledged_by?.name ?? 'someone'}, ${formatAgo(alert.acknowledged_at ?? '', now, board.time_zone)}`)
      }
      trailing={
        isOpen && (
          <Button variant="outline" color="neutral" isLoading={isBusy} disabled={!isOnline} onClick={run}>
            Acknowledge
          </Button>
        )
      }
    />
  );
}
