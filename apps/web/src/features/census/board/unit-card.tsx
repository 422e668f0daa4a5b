import { isHandedIn } from '@wardline/census/states.ts';
import type { BoardUnit } from '@wardline/contract/census/board.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { OccupancyBar } from '@wardline/ui/chart/occupancy-bar.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { CalendarDays, Check, Clock, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatPercent, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { unitIcon } from '#/features/census/core/unit-icon.ts';
import { VarianceNote } from '#/features/census/core/variance-note.tsx';
import { RemoteIcon } from '#/shared/pictures/remote-icon.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { EstimateNote } from '../estimates/estimate-note.tsx';
import { formatPressure, freeBeds, isMissing, occupancyOf } from './board-figures.ts';
import { bedsWord, formatBar, formatCounted, formatLastKnown, statusWord } from './board-labels.ts';
import { MissingActs } from './missing-acts.tsx';
import type { Board } from './use-board.ts';

interface UnitCardProps {
  readonly board: Board;
  readonly unit: BoardUnit;
  readonly name: string;
  /** What kind of unit it is, in the facility's words; not known at first. */
  readonly kind: string | undefined;
  readonly now: number;
  /** When the board was so: now, while it follows. */
  readonly asAt: number;
  /** The same in words; null while it follows. */
  readonly asOf: string | null;
  /** Its report; null where one may not open reports. */
  readonly href: string | null;
  /** Whether the person may ask for reports. */
  readonly mayRemind: boolean;
  readonly onCalendar: () => void;
}

/** One unit as it is now: how full, what is free, who counted when. */
export function UnitCard(props: UnitCardProps) {
  const { board, unit, name, kind, asOf, href, mayRemind, onCalendar } = props;
  const isOut = isMissing(unit) && unit.occupied === null;
  const shown = unit.occupied ?? unit.last_known?.present ?? null;
  return (
    <li className={isMissing(unit) ? 'card bd-card is-missing' : 'card bd-card'}>
      <div className="row">
        {kind !== undefined && <RemoteIcon name={unitIcon(kind)} size="sm" />}
        <h3 className="clip" title={unit.unit_name}>
          {href === null ? (
            name
          ) : (
            <Link className="bd-name" href={href}>
              {name}
            </Link>
          )}
        </h3>
        <span className="push row row-1">
          <Mark board={board} unit={unit} />
          <Button
            variant="ghost"
            color="neutral"
            size="xs"
            iconOnly
            icon={CalendarDays}
            label={`Calendar of ${name}`}
            onClick={onCalendar}
          />
        </span>
      </div>
      <p>
        <b className={unit.occupied === null ? 't30 num muted' : 't30 num strong'}>{formatCount(shown)}</b>{' '}
        <span className="t13 muted num">
          {unit.counts_in_occupancy ? `of ${unit.beds.staffed} ${bedsWord(unit)}` : 'without a unit bed'}
          {unit.occupied === null && unit.last_known && `, ${formatLastKnown(unit.last_known, board)}`}
        </span>
        {asOf !== null && <span className="bd-as-of">{asOf}</span>}
      </p>
      {unit.counts_in_occupancy && (
        <OccupancyBar
          occupied={unit.occupied}
          blocked={unit.beds.blocked}
          staffed={unit.beds.staffed}
          label={formatBar(unit)}
        />
      )}
      {isMissing(unit) && unit.estimate && <EstimateNote estimate={unit.estimate} />}
      <VarianceNote variance={unit.variance} reason={unit.variance_reason} reasonFor={unit.variance_for} />
      {isOut ? <MissingReport {...props} /> : <Options unit={unit} hours={board.boarding_hours ?? 0} />}
      {!isMissing(unit) && <Foot {...props} />}
      {isMissing(unit) && <MissingActs board={board} unit={unit} now={props.now} mayRemind={mayRemind} />}
    </li>
  );
}

function Mark({ board, unit }: Pick<UnitCardProps, 'board' | 'unit'>) {
  const pressure = formatPressure(unit, board.bands);
  if (isMissing(unit)) {
    return (
      <Badge tone="error" icon={OctagonAlert}>
        Missing
      </Badge>
    );
  }
  if (pressure) {
    return (
      <Badge tone={pressure.tone} icon={pressure.tone === 'error' ? OctagonAlert : TriangleAlert}>
        {pressure.text}
      </Badge>
    );
  }
  const share = occupancyOf(unit);
  return share === null ? null : <span className="t13 muted num">{formatPercent(share)}</span>;
}

/** `hours`: from when on somebody who waits for a bed is boarding. */
function Options({ unit, hours }: { unit: BoardUnit; hours: number }) {
  const { transfers_in, transfers_out } = unit;
  const isIn = isHandedIn(unit.status);
  return (
    <dl className="bd-facts">
      {unit.counts_in_occupancy && (
        <>
          <Fact term="Free">{unit.occupied === null ? NO_FIGURE : freeBeds(unit)}</Fact>
          <Fact term="Blocked">{unit.beds.blocked}</Fact>
        </>
      )}
      <Fact term="In, out">{isIn ? `${transfers_in ?? 0}, ${transfers_out ?? 0}` : NO_FIGURE}</Fact>
      {typeof unit.boarding_over === 'number' && (
        <Fact term={`Waiting ${hours} h or longer`}>{formatCount(unit.boarding_over)}</Fact>
      )}
    </dl>
  );
}

function MissingReport({ board, unit, asAt }: UnitCardProps) {
  return (
    <dl className="bd-facts">
      <Fact term="Was due">{formatClock(board.time_zone, Date.parse(board.due_at), asAt)}</Fact>
      <Fact term="Late by">
        <span className="c-error">{formatSpan(asAt - Date.parse(board.due_at))}</span>
      </Fact>
      <Fact term="In the total">{unit.occupied === null ? 'no' : 'as seen since'}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function Foot({ board, unit, now, asAt }: UnitCardProps) {
  return (
    <div className="bd-foot">
      <span className="row row-1">
        <Icon of={Clock} size="sm" />
        <Counted board={board} unit={unit} now={now} asAt={asAt} />
      </span>
      <span className="push">
        {unit.status === 'approved' || unit.status === 'locked' ? (
          <span className="row row-1">
            <Icon of={Check} size="sm" />
            {statusWord(unit)}
          </span>
        ) : (
          <Badge tone={unit.status === 'submitted' ? 'info' : 'neutral'}>{statusWord(unit)}</Badge>
        )}
      </span>
    </div>
  );
}

function Counted({ board, unit, now, asAt }: Pick<UnitCardProps, 'board' | 'unit' | 'now' | 'asAt'>) {
  if (unit.counted_at === null) return <span>due in {formatSpan(Date.parse(board.due_at) - asAt)}</span>;
  return (
    <span>
      <time dateTime={unit.counted_at} title={momentIn(board.time_zone, Date.parse(unit.counted_at))}>
        {formatCounted(unit, board, now)}
      </time>
      {unit.conditions.includes('late') && <span className="c-warning">, handed in late</span>}
    </span>
  );
}
