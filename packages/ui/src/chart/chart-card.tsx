import './styles/chart.css';
import { Table2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '#/button/button.tsx';
import { Kbd } from '#/mark/kbd.tsx';

/** Whether the page is being printed, told soon enough for what is rendered then to be on the paper. */
function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}

let isPrinting = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) follow();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) unfollow();
  };
}

const begin = () => tell(true);
const end = () => tell(false);

function tell(next: boolean): void {
  isPrinting = next;
  for (const listener of listeners) listener();
}

function follow(): void {
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
}

function unfollow(): void {
  window.removeEventListener('beforeprint', begin);
  window.removeEventListener('afterprint', end);
}

export type ChartCardProps = {
  title: ReactNode;
  /** Beside the title: what is counted, of when. */
  note?: ReactNode;
  /** At the right end, before the way to the table. */
  aside?: ReactNode;
  /** The same numbers in rows and columns: a key away, and on paper beside the picture. */
  table: ReactNode;
  /** The picture. */
  children: ReactNode;
  level?: 2 | 3 | undefined;
};

/** A card with a picture and its table twin; T goes from one to the other while the focus is inside. */
export function ChartCard({ title, note, aside, table, children, level = 2 }: ChartCardProps) {
  const Heading = `h${level}` as const;
  const [hasTable, setHasTable] = useState(false);
  const isPrinting = usePrinting();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    // What had the focus may be about to go.
    button.current?.focus();
    setHasTable(!hasTable);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isToggle(event)) return;
    event.preventDefault();
    toggle();
  };
  return (
    <section className="card chart-card" aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className="card-head chart-head">
        <Heading id={id}>{title}</Heading>
        {note !== undefined && <span className="t13 muted">{note}</span>}
        <span className="push row chart-aside">
          {aside}
          <Button
            ref={button}
            variant="ghost"
            color="neutral"
            size="sm"
            icon={Table2}
            label="Show as table"
            aria-pressed={hasTable}
            aria-keyshortcuts="T"
            onClick={toggle}
          >
            <span className="only-desk">Show as table</span>
          </Button>
          {/* Beside the button: within, it would be read as a part of its name. */}
          <span className="only-desk" aria-hidden="true">
            <Kbd keys={['T']} />
          </span>
        </span>
      </div>
      {(!hasTable || isPrinting) && <div className="chart-picture">{children}</div>}
      {(hasTable || isPrinting) && <div className="chart-twin">{table}</div>}
    </section>
  );
}

function isToggle({ key, ctrlKey, metaKey, altKey, target, nativeEvent }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 't' || ctrlKey || metaKey || altKey || nativeEvent.isComposing) return false;
  return !(target instanceof Element) || target.closest('input:not([type="radio"]), textarea, select') === null;
}
