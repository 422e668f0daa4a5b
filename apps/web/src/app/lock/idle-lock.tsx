import type { User } from '@wardline/contract/auth.ts';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { titleOf, usePageTitle, useProductName } from '#/shared/navigation/page-title.ts';
import { hidePage } from './hide-page.ts';
import { forgetLock, LOCKED } from './lock-mark.ts';
import { LockScreen } from './lock-screen.tsx';
import { watchIdle } from './watch-idle.ts';

interface IdleLockProps {
  readonly user: User;
  readonly afterMinutes: number;
}

/** ACC-6: covers the page after so many minutes without input, and keeps it as it is behind the cover. */
export function IdleLock({ user, afterMinutes }: IdleLockProps) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const watch = useRef<ReturnType<typeof watchIdle>>(null);
  const title = titleOf('Locked', useProductName());
  const { id: userId } = user;
  useEffect(() => {
    let hidden: ReturnType<typeof hidePage> | null = null;
    const change = (isLocked: boolean) => {
      if (isLocked) hidden ??= hidePage(title);
      else {
        hidden?.show();
        hidden = null;
      }
      setHost(hidden?.host ?? null);
    };
    const started = watchIdle({ userId, afterMs: afterMinutes * 60_000, onChange: change });
    watch.current = started;
    return () => {
      started.stop();
      // The session is over, or its limit another one.
      change(false);
    };
  }, [userId, afterMinutes, title]);
  return host && createPortal(<LockScreen user={user} onUnlock={() => watch.current?.unlock()} />, host);
}

/** In the place of every page, where the tab was opened or loaded again while the screen was covered. */
export function LockedPage({ user, onUnlock }: { readonly user: User; readonly onUnlock: () => void }) {
  usePageTitle('Locked');
  useEffect(() => {
    localStorage.setItem(LOCKED, user.id);
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === LOCKED && newValue === null) onUnlock();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [user.id, onUnlock]);
  return (
    <LockScreen
      user={user}
      onUnlock={() => {
        forgetLock();
        onUnlock();
      }}
    />
  );
}
