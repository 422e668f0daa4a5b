import { createSource } from '@wardline/client/observable.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import { expect, it, vi } from 'vitest';
import { forgetDraftsAtSignOut } from './forget-drafts.ts';

const somebody = { status: 'signed-in', user: {}, confirmed: true } as unknown as SessionState;

it.each([
  ['signed-out', 1],
  ['elsewhere', 1],
  ['expired', 0],
] as const)(
  'A32 AUTH-2 what was typed is forgotten after a sign-out, not after an ended session: %s',
  (reason, times) => {
    const session = createSource<SessionState>(somebody);
    const forget = vi.fn();
    forgetDraftsAtSignOut(session, forget);
    session.set({ status: 'signed-out', reason });
    expect(forget).toHaveBeenCalledTimes(times);
  },
);

it('A32 AUTH-2 where nobody was signed in, what was typed stays', () => {
  const session = createSource<SessionState>({ status: 'unknown' });
  const forget = vi.fn();
  forgetDraftsAtSignOut(session, forget);
  session.set({ status: 'signed-out', reason: 'initial' });
  expect(forget).not.toHaveBeenCalled();
});
