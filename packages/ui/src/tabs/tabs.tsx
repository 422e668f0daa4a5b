import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classNames } from '#/class-names.ts';
import { useOpenInView } from './use-open-in-view.ts';

export type TabsProps<Value extends string> = {
  /** The accessible name of the list of tabs. */
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  tabs: ReadonlyArray<{ value: Value; label: ReactNode; mark?: ReactNode }>;
  /** The panels, one `TabPanel` for each value. */
  children: ReactNode;
};

/** Tabs over panels: arrow keys move, the chosen one shows. */
export function Tabs<Value extends string>({ label, value, onValueChange, tabs, children }: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  useOpenInView(row);
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find((candidate) => candidate.value === next);
        if (tab) onValueChange(tab.value);
      }}
    >
      <Primitive.List ref={row} className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Primitive.Trigger className="tab" key={tab.value} value={tab.value}>
            {tab.label}
            {tab.mark}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

export type TabPanelProps = { value: string; className?: string | undefined; children: ReactNode };

/** What one tab shows. */
export function TabPanel({ value, className, children }: TabPanelProps) {
  return (
    <Primitive.Content className={classNames('tab-panel', className)} value={value}>
      {children}
    </Primitive.Content>
  );
}
