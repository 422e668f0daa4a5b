import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { Session } from '@wardline/client/session/session.ts';
import { KEPT_UNSENT } from '#/shared/contexts/kept-unsent-key.ts';

/** Whose unsent work is on this device, in the clear: it is told where nobody is signed in. Gone with the work, or at sign-out. */
export interface KeptUnsent {
  readonly userId: string;
  readonly name: string;
  readonly kinds: readonly string[];
}

/** Notes whose work waits, for as long as any does. Answers the end of it. */
export function noteUnsent(
  outbox: Pick<SharedOutbox, 'count'>,
  session: Pick<Session, 'get' | 'subscribe'>,
): () => void {
  const note = () => {
    const { waiting, failed, kinds } = outbox.count.get();
    const state = session.get();
    if (state.status !== 'signed-in') return;
    const { id, name } = state.user;
    const kept: KeptUnsent | null = waiting + failed > 0 ? { userId: id, name, kinds } : null;
    write(kept);
  };
  const undo = [
    outbox.count.subscribe(note),
    session.subscribe(() => {
      const state = session.get();
      // An ended session leaves the work and its author; whoever signs out leaves no name.
      if (state.status === 'signed-out' && state.reason !== 'expired') write(null);
    }),
  ];
  note();
  return () => {
    for (const end of undo) end();
  };
}

function write(kept: KeptUnsent | null): void {
  try {
    if (kept === null) localStorage.removeItem(KEPT_UNSENT);
    else localStorage.setItem(KEPT_UNSENT, JSON.stringify(kept));
  } catch {
    // Not allowed or full: the work is kept all the same, nobody is told before signing in.
  }
}
