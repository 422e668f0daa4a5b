import type { ReactNode } from 'react';

export type DayDividerProps = {
  /** The day in words: 'Fri 20 Nov, today'. */
  children: ReactNode;
  /** The day for machines: '2026-11-20'. */
  dateTime?: string | undefined;
};

/** Between the messages of two days. */
export function DayDivider({ children, dateTime }: DayDividerProps) {
  return (
    <div className="day">
      <time dateTime={dateTime}>{children}</time>
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
