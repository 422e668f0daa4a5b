import type { User } from '@wardline/contract/account/auth.ts';
import { unlockScreen } from '@wardline/contract/account/passkeys.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { readSsoFailure, ssoFailures } from '#/shared/errors/sso-failures.ts';
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
  const failure = useProviderUnlock(onUnlock);
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
      failure={failure}
      onUnlock={() => {
        forgetLock();
        onUnlock();
      }}
    />
  );
}

/** In the tab that came back from a provider: opens all tabs with its word, else tells why not. */
function useProviderUnlock(onUnlock: () => void): string | null {
  const call = useCall();
  const [failure, setFailure] = useState(() => {
    const why = readSsoFailure(location.hash);
    return why && ssoFailures[why];
  });
  const open = useEffectEvent(async () => {
    try {
      await call(unlockScreen, { body: { by_provider: true } });
      forgetLock();
      // Only a tab that was opened for it closes; any other goes on.
      window.close();
      if (!window.closed) onUnlock();
    } catch (error) {
      setFailure(formatFailure(error));
    }
  });
  useEffect(() => {
    if (location.hash !== '#sso=unlocked') return;
    history.replaceState(history.state, '', location.pathname);
    void open();
  }, []);
  return failure;
}
