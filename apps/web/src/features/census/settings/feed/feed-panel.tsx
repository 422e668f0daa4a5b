import { serverNow } from '@wardline/client/server-clock.ts';
import type { CensusFeed, FeedUnit } from '@wardline/contract/census/feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { Eraser, FileUp, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { Panel } from '#/features/census/core/panel.tsx';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { differenceOf, feedUnitName, formatInstant, whyNotSeeded } from './feed-labels.ts';
import { useFeed } from './feed-queries.ts';
import { RefusedMessages } from './refused-messages.tsx';
import { StartDialog } from './start-dialog.tsx';
import { StaysDialog } from './stays-dialog.tsx';
import { UndoDialog } from './undo-dialog.tsx';

const LABORATORY_RIGHTS = ['facility.manage', 'results.assign'] as const;

/** How the facility stands with its patient system: who is in by it, from when it counts, and what it could not take. */
export function FeedPanel() {
  const { facility, settings, lacks } = useSettingsPlace();
  const feed = useFeed(facility.id, settings.version);
  if (lacks === 'permission') return null;
  return (
    <Panel query={feed} what="the patient system">
      {(data) => (
        <div className="stack">
          <StartCard feed={data} />
          <RefusedMessages count={data.refused} />
          {LABORATORY_RIGHTS.some((right) => facility.permissions.includes(right)) && (
            <p className="t13 muted">
              A laboratory sends its results here too. What became of them stands under{' '}
              <Link href="/settings/laboratory">Laboratory results</Link>.
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

function StartCard({ feed }: { feed: CensusFeed }) {
  const { facility, settings, lacks } = useSettingsPlace();
  const [dialog, setDialog] = useState<'stays' | 'start' | 'stop' | 'forget' | null>(null);
  const close = () => setDialog(null);
  const today = dayIn(settings.time_zone, serverNow());
  const isStarted = feed.live_from !== null;
  const why = isStarted ? null : whyNotSeeded(feed);
  const knowsSomething = feed.heard_at !== null || feed.units.some(({ told }) => told > 0);
  return (
    <Card>
      <CardHead
        level={3}
        title={feed.live_from === null ? 'Not started' : `Counts from ${shortDay(feed.live_from, today)}`}
      />
      <div className="card-pad stack stack-4">
        <p className="muted">
          {feed.heard_at === null
            ? 'No message has been taken yet.'
            : `Last message taken ${formatInstant(feed.heard_at, settings.time_zone, today)}.`}{' '}
          {feed.live_from === null && 'Reports show nothing of it until it is started.'}
        </p>
        {why !== null && <Banner tone="warning">{why}</Banner>}
        {feed.units.length > 0 && <UnitTable units={feed.units} today={today} />}
        <fieldset className="row wrap" disabled={lacks !== null}>
          <Button variant="outline" color="neutral" icon={FileUp} onClick={() => setDialog('stays')}>
            Bring in who is in
          </Button>
          {isStarted && (
            <Button variant="outline" color="neutral" icon={Square} onClick={() => setDialog('stop')}>
              Stop
            </Button>
          )}
          {!isStarted && knowsSomething && (
            <Button variant="outline" color="neutral" icon={Eraser} onClick={() => setDialog('forget')}>
              Forget who is in
            </Button>
          )}
          {!isStarted && why === null && (
            <Button icon={Play} onClick={() => setDialog('start')}>
              Start
            </Button>
          )}
        </fieldset>
      </div>
      {dialog === 'stays' && <StaysDialog facility={facility} onClose={close} />}
      {dialog === 'start' && <StartDialog feed={feed} today={today} onClose={close} />}
      {(dialog === 'stop' || dialog === 'forget') && <UndoDialog act={dialog} onClose={close} />}
    </Card>
  );
}

function UnitTable({ units, today }: { units: readonly FeedUnit[]; today: string }) {
  return (
    <Table<FeedUnit>
      caption="Who is in, by the reports and by the patient system"
      isDense
      rows={units}
      rowKey={({ unit_id, population }) => `${unit_id} ${population}`}
      columns={[
        { key: 'unit', head: 'Unit', cell: feedUnitName },
        {
          key: 'date',
          head: 'Newest report',
          cell: ({ census_date }) => (census_date === null ? 'None' : shortDay(census_date, today)),
        },
        { key: 'closing', head: 'Closed with', isNumeric: true, cell: ({ closing }) => closing ?? '–' },
        { key: 'told', head: 'Patient system', isNumeric: true, cell: ({ told }) => told },
        {
          key: 'difference',
          head: 'Difference',
          isNumeric: true,
          cell: (unit) => formatDifference(differenceOf(unit)),
        },
      ]}
    />
  );
}

function formatDifference(difference: number | null): string {
  if (difference === null) return '–';
  if (difference === 0) return '0';
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}
