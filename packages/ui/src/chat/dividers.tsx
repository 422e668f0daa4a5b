import type { ReactNode } from 'react';

export type DayDividerProps = {
  /** The day in words: 'Fri 20 Nov, today'. */
  children: ReactNode;
  /** The day for machines: '2026-11-20'. */
  dateTime?: string | undefined;
  /** A press on the day: leads to another one. Arrow keys reach it, not each press of Tab. */
  onGo?: (() => void) | undefined;
};

/** Between the messages of two days. */
export function DayDivider({ children, dateTime, onGo }: DayDividerProps) {
  const day = <time dateTime={dateTime}>{children}</time>;
  return (
    <div className="day">
      {onGo ? (
        <button type="button" className="day-go" tabIndex={-1} title="Go to date" onClick={onGo}>
          {day}
        </button>
      ) : (
        day
      )}
    </div>
  );
}

/** Over the first message that was not read yet. */
export function NewDivider({ label = 'New' }: { label?: string | undefined }) {
  return (
    <div className="newline">
      <span>{label}</span>
    </div>
  );
}
