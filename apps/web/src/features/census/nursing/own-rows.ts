import type { NursingMonth } from '@wardline/contract/census/nursing.ts';
import { useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { type HoursRow, type RowField, type RowTexts, textsOf } from './hours-row.ts';

/** What was done to a unit's line here. */
export interface OwnRow {
  readonly texts: RowTexts;
  /** The version that the texts were made from. */
  readonly version: number;
  /** Of these texts: sent twice they are stored once. */
  readonly clientId: string;
  readonly state: HoursRow['state'];
  readonly text: string;
}

export interface HoursText {
  readonly unitId: string;
  readonly field: RowField;
  readonly text: string;
}

/** The lines that were touched, by unit. */
export interface OwnRows {
  /** As they are drawn. */
  readonly drawn: ReadonlyMap<string, OwnRow>;
  /** As they are now: what is typed is saved in the same step, before it is drawn. */
  readonly all: () => ReadonlyMap<string, OwnRow>;
  readonly keep: (unitId: string, next: OwnRow | null) => void;
  /** A line's answer. What was typed while it was on its way stays, on top of what is stored now. */
  readonly settle: (unitId: string, sent: OwnRow, change: Partial<OwnRow>) => void;
}

export function useOwnRows(): OwnRows {
  const [drawn, setDrawn] = useState<ReadonlyMap<string, OwnRow>>(new Map());
  const latest = useRef(drawn);
  const keep: OwnRows['keep'] = (unitId, next) => {
    const rows = new Map(latest.current);
    if (next) rows.set(unitId, next);
    else rows.delete(unitId);
    latest.current = rows;
    setDrawn(rows);
  };
  return {
    drawn,
    all: () => latest.current,
    keep,
    settle(unitId, sent, change) {
      const now = latest.current.get(unitId);
      if (!now) return;
      const isSame = now.clientId === sent.clientId;
      keep(unitId, isSame ? { ...now, ...change } : { ...now, version: change.version ?? now.version });
    },
  };
}

/** A line with another text in one of its fields. */
export function typedRow(standing: NursingMonth, row: OwnRow | undefined, { field, text }: HoursText): OwnRow {
  const { texts, version } = row ?? { texts: textsOf(standing), version: standing.version };
  return { texts: { ...texts, [field]: text }, version, clientId: uuidv7(), state: 'typed', text: '' };
}

/** The same texts over what somebody else wrote meanwhile. */
export function insistingRow(standing: NursingMonth, row: OwnRow): OwnRow {
  return { ...row, version: standing.version, clientId: uuidv7(), state: 'typed' };
}

/** What is stored, and what stands in its fields. */
export function rowOf(month: NursingMonth, own: OwnRow | undefined): HoursRow {
  return { month, texts: own?.texts ?? textsOf(month), state: own?.state ?? 'still', text: own?.text ?? '' };
}
