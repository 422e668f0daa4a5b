import type { UpdateWatch } from '@wardline/client/pwa/service-worker.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { RefreshCw } from 'lucide-react';

/** PWA-1: shown while new content waits; a press applies it. */
export function UpdateBanner({ updates }: { updates: Pick<UpdateWatch, 'get' | 'subscribe' | 'apply'> }) {
  const { needRefresh } = useObservable(updates);
  if (!needRefresh) return null;
  return (
    <button type="button" className="update" onClick={() => updates.apply()}>
      <Icon of={RefreshCw} />
      New content found, need refresh
    </button>
  );
}
