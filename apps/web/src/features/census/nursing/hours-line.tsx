import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Check, CircleAlert, LoaderCircle, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { counted, formatCount, formatDecimal } from '#/features/census/core/format-figure.ts';
import { errorFor, HOURS_FIELDS, type HoursField, type HoursRow, isUnsaved, perPatientDay } from './hours-row.ts';
import type { HoursRows } from './use-hours-rows.ts';

const NAMES: Readonly<Record<HoursField, string>> = { rn_hours: 'RN hours', other_hours: 'Other hours' };

interface HoursLineProps {
  readonly row: HoursRow;
  readonly place: number;
  readonly hours: Pick<HoursRows, 'type' | 'save' | 'takeTheirs' | 'keepMine'>;
}

/** A unit's hours. They are saved when the line is left. */
export function HoursLine({ row, place, hours }: HoursLineProps) {
  const { month, texts } = row;
  const [hasNote, setHasNote] = useState(texts.note !== '');
  const { rn, all } = perPatientDay(row);
  const type = (field: HoursField | 'note', text: string) => hours.type([{ unitId: month.unit_id, field, text }]);
  return (
    <li
      className="nh-line"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) void hours.save(month.unit_id);
      }}
    >
      <span className="nh-unit">
        <b>{month.unit_code}</b>
        <span className="t12 muted num">
          {counted(month.patient_days, 'patient day')}
          {month.reports < month.reports_expected && (
            <>
              <br />
              {formatCount(month.reports)} of {counted(month.reports_expected, 'report')}
            </>
          )}
        </span>
      </span>
      <HoursInputs row={row} place={place} onType={type} />
      <span className="nh-rates num">
        <span className="sr">Hours per patient day: </span>
        <span>
          <span className="t12 muted">RN</span> {formatDecimal(rn)}
        </span>
        <span>
          <span className="t12 muted">all</span> <b>{formatDecimal(all)}</b>
        </span>
      </span>
      <span className="nh-state">
        {!hasNote && (
          <Button
            variant="ghost"
            color="neutral"
            size="sm"
            iconOnly
            icon={StickyNote}
            label={`Note on ${month.unit_code}`}
            onClick={() => setHasNote(true)}
          />
        )}
        <span role="status">
          <LineState row={row} />
        </span>
      </span>
      {hasNote && (
        <div className="nh-wide">
          <TextInput
            label={`Note, ${month.unit_code}`}
            isLabelHidden
            placeholder="Note"
            autoComplete="off"
            maxLength={500}
            value={texts.note}
            onChange={({ target }) => type('note', target.value)}
          />
        </div>
      )}
      {(row.state === 'failed' || row.state === 'conflict') && <Ways row={row} hours={hours} />}
    </li>
  );
}

interface HoursInputsProps {
  readonly row: HoursRow;
  readonly place: number;
  readonly onType: (field: HoursField, text: string) => void;
}

function HoursInputs({ row, place, onType }: HoursInputsProps) {
  return HOURS_FIELDS.map((field, column) => (
    <TextInput
      key={field}
      label={`${NAMES[field]}, ${row.month.unit_code}`}
      isLabelHidden
      className="nh-input"
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="next"
      data-row={place}
      data-column={column}
      value={row.texts[field]}
      error={errorFor(row.texts[field])}
      onChange={({ target }) => onType(field, target.value)}
    />
  ));
}

function LineState({ row }: { row: HoursRow }) {
  if (row.state === 'saving') return <Badge icon={LoaderCircle}>Saving</Badge>;
  if (row.state === 'failed') {
    return (
      <Badge tone="error" icon={CircleAlert}>
        Not saved
      </Badge>
    );
  }
  if (row.state === 'conflict') {
    return (
      <Badge tone="warning" icon={CircleAlert}>
        Changed
      </Badge>
    );
  }
  if (row.state === 'typed' && isUnsaved(row)) return <span className="t12 muted">Typed</span>;
  if (row.state === 'saved') {
    return (
      <Badge tone="success" icon={Check}>
        Saved
      </Badge>
    );
  }
  return null;
}

function Ways({ row: { month, state, text }, hours }: Pick<HoursLineProps, 'row' | 'hours'>) {
  const unitId = month.unit_id;
  return (
    <div className="nh-wide row wrap">
      <span className="t13 nh-words">{text}</span>
      {state === 'failed' ? (
        <Button variant="outline" color="neutral" size="sm" onClick={() => void hours.save(unitId)}>
          Try again
        </Button>
      ) : (
        <>
          <Button variant="outline" color="neutral" size="sm" onClick={() => hours.takeTheirs(unitId)}>
            Take theirs
          </Button>
          <Button variant="outline" color="neutral" size="sm" onClick={() => hours.keepMine(unitId)}>
            Keep mine
          </Button>
        </>
      )}
    </div>
  );
}
