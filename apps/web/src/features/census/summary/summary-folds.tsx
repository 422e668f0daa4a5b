import { Icon } from '@wardline/ui/icon/icon.tsx';
import { ChevronRight } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';

/** Which parts of the page stand open. */
interface Folds {
  readonly isOpen: (id: string) => boolean;
  readonly set: (id: string, isOpen: boolean) => void;
}

const everythingOpen: Folds = { isOpen: () => true, set: () => undefined };
const FoldsContext = createContext<Folds>(everythingOpen);

/** As the page is first seen: the figures, and under them how they came about. */
const AT_FIRST = ['trend'];
const PARAM = 'open';

interface SummaryFoldsProps {
  /** What the address carries. */
  readonly search: URLSearchParams;
  /** Puts what stands open into the address. */
  readonly onChange: (search: string) => void;
  readonly children: ReactNode;
}

/** Keeps in the address which parts stand open; a link to a part opens it, and on paper all of them stand open. */
export function SummaryFolds({ search, onChange, children }: SummaryFoldsProps) {
  const kept = search.get(PARAM);
  const [linked, setLinked] = useState(linkedPart);
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const onHash = () => setLinked(linkedPart());
    const onPrint = ({ type }: Event) => flushSync(() => setIsPrinting(type === 'beforeprint'));
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('hashchange', onHash, { signal });
    window.addEventListener('beforeprint', onPrint, { signal });
    window.addEventListener('afterprint', onPrint, { signal });
    return () => listeners.abort();
  }, []);
  const write = useEffectEvent(onChange);
  const folds = useMemo((): Folds => {
    const open = new Set([...(kept === null ? AT_FIRST : kept.split('.')), linked].filter((id) => id !== ''));
    return {
      isOpen: (id) => isPrinting || open.has(id),
      set(id, isOpen) {
        if (isPrinting || open.has(id) === isOpen) return;
        const next = isOpen ? [...open, id] : [...open].filter((one) => one !== id);
        setLinked('');
        write(next.join('.'));
      },
    };
  }, [kept, linked, isPrinting]);
  return <FoldsContext value={folds}>{children}</FoldsContext>;
}

/** `&open=…` of an address, to be carried on to the next period; nothing where nothing was opened or closed. */
export function foldSearch(open: string | null): string {
  return open === null ? '' : `&${new URLSearchParams({ [PARAM]: open })}`;
}

export function openParts(search: URLSearchParams): string | null {
  return search.get(PARAM);
}

/** The part that the address leads to, by its id after the #. */
function linkedPart(): string {
  return decodeURIComponent(window.location.hash.slice(1));
}

interface FoldProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part that opens and closes: found by the browser's search and on paper also while it is closed. */
export function Fold({ id, title, children }: FoldProps) {
  const { isOpen, set } = use(FoldsContext);
  return (
    <details className="sum-fold" open={isOpen(id)} onToggle={({ currentTarget }) => set(id, currentTarget.open)}>
      <summary>
        <Icon of={ChevronRight} size="sm" />
        {title}
      </summary>
      {children}
    </details>
  );
}
