import { Icon } from '@wardline/ui/icon/icon.tsx';
import { RefreshCw } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { UpdateWatch } from './register-service-worker.ts';

/** PWA-1: shown while new content waits; a press applies it. */
export function UpdateBanner({ updates }: { updates: UpdateWatch }) {
  const isWaiting = useSyncExternalStore(updates.subscribe, updates.isWaiting);
  if (!isWaiting) return null;
  return (
    <button type="button" className="update" onClick={() => updates.apply()}>
      <Icon of={RefreshCw} />
      New content found, need refresh
    </button>
  );
}
