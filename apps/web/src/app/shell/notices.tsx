import { useLocation, useRouter } from '@tanstack/react-router';
import type { UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Liveness, liveness } from '#/app/unsent/connection-labels.ts';
import { useSessionState, useUser } from '#/features/auth/index.ts';
import { UrgentBanner, useChats, useConnection, useHasUrgent } from '#/features/chat/index.ts';
import { InvitationLost, useFacilities } from '#/features/facilities/index.ts';
import { useUnsentCount } from '#/shared/contexts/device-context.ts';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const loadUnsent = () => import('#/app/unsent/unsent-notices.tsx');
const UnsentAge = lazyPart(async () => (await loadUnsent()).UnsentAge);
const OverdueNotice = lazyPart(async () => (await loadUnsent()).OverdueNotice);
const NothingKeptNotice = lazyPart<object>(async () => (await loadUnsent()).NothingKeptNotice);
const RefusedNotice = lazyPart(async () => (await loadUnsent()).RefusedNotice);
const ShowUnsent = lazyPart<object>(async () => (await loadUnsent()).ShowUnsent);

const NotLiveNotice = lazyPart(async () => (await loadUnsent()).NotLiveNotice);

const ClosedFacilitiesNotice = lazyPart(async () => (await import('./closed-facilities.tsx')).ClosedFacilitiesNotice);
const FactorNotices = lazyPart(async () => (await import('./factor-notices.tsx')).FactorNotices);

const longWaitMs = 24 * 60 * 60 * 1000;
/** How long a connection that was lost is waited for before a line says it. */
const patienceMs = 4000;
/** The same of a page's first one: on a slow line the page itself has just come, and the line would move it. */
const firstPatienceMs = 10_000;

/** The lines over a page: offline, reconnecting, work that waits for too long or that this browser cannot keep. */
export function Notices() {
  const outbox = useUnsentCount();
  const user = useUser();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isNewcomer = useFacilities().length === 0;
  // The code of what is urgent comes with the first that is.
  const isCalled = useHasUrgent();
  const now = liveness(useConnection());
  const settled = useSettled(now);
  const isUnreached = useIsUnreached(now);
  const state = isUnreached ? 'unreached' : isShort(now) ? settled : now;
  const waitedMs = outbox.oldestWaitingAt === null ? 0 : Date.now() - Date.parse(outbox.oldestWaitingAt);
  return (
    <>
      {isCalled && <UrgentBanner userId={user.id} />}
      {user.factor_rules?.[0] && <FactorNotices user={user} path={path} isNewcomer={isNewcomer} />}
      {user.closed_facilities?.[0] && path === '/dashboard' && !isNewcomer && <ClosedFacilitiesNotice {...user} />}
      <VerifiedNotice />
      {state && state in NOT_LIVE && <NotSent {...outbox} {...NOT_LIVE[state as keyof typeof NOT_LIVE]} />}
      {(state === 'blocked' || state === 'refused') && <NotLiveNotice why={state} {...outbox} />}
      {outbox.failed > 0 && <RefusedNotice {...outbox} />}
      {waitedMs > longWaitMs && <OverdueNotice {...outbox} waitedMs={waitedMs} />}
      {!outbox.isDurable && <NothingKeptNotice />}
    </>
  );
}

const NOT_LIVE = {
  offline: { title: 'Offline.', icon: CloudOff, until: 'when you’re back online' },
  unreached: { title: 'Can’t reach the server.', icon: CloudOff, until: 'once it can be reached' },
  connecting: { title: 'Connecting.', icon: RefreshCw, until: 'once that is done' },
  reconnecting: { title: 'Reconnecting.', icon: RefreshCw, until: 'once that is done' },
} as const;

type NotSentProps = Pick<UnsentCount, 'waiting' | 'kinds' | 'oldestWaitingAt'> &
  (typeof NOT_LIVE)[keyof typeof NOT_LIVE];

/** What is the matter with the connection, and what waits for it since when. */
function NotSent({ title, icon, until, waiting, kinds, oldestWaitingAt }: NotSentProps) {
  return (
    <Banner tone="neutral" icon={icon} title={title} isFlush action={waiting > 0 && <ShowUnsent />}>
      {waiting > 0 ? formatUnsent(waiting, kinds) : 'Messages and reports you write are kept and'} will send {until}.
      {waiting > 0 && <UnsentAge {...{ waiting, oldestWaitingAt }} />}
    </Banner>
  );
}

/**
 * Whether a request has shown that nobody answers: who is here, or the list of chats. A socket takes ten seconds to say it, and on a
 * phone nothing else does.
 */
function useIsUnreached(now: Liveness): boolean {
  const session = useSessionState();
  const { error } = useChats();
  const isUnconfirmed = session.status === 'signed-in' && !session.confirmed;
  return (now === 'connecting' || now === 'reconnecting') && (isUnconfirmed || error !== null);
}

/** What may be over in a moment. */
function isShort(state: Liveness): boolean {
  return state !== 'live' && state !== 'offline';
}

/** A state that has lasted: a socket that comes back at once is not worth a line that makes the page jump. */
function useSettled(state: Liveness): Liveness | null {
  const [settled, setSettled] = useState<Liveness | null>(null);
  const isFirst = settled === null && state === 'connecting';
  useEffect(() => {
    const timer = setTimeout(() => setSettled(state), isFirst ? firstPatienceMs : patienceMs);
    return () => clearTimeout(timer);
  }, [state, isFirst]);
  return settled;
}

/** Said once, on the page to which the link of an address has led; the address then forgets it. */
export function VerifiedNotice() {
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const isVerified = new URLSearchParams(search).get('verified') === '1';
  const [saidOn, setSaidOn] = useState<string | null>(null);
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    if (!isVerified) return;
    setSaidOn(path);
    setIsLost(search.includes('invitation=lost'));
    void router.navigate({ href: path, replace: true });
  }, [isVerified, search, path, router]);
  useEffect(() => {
    if (saidOn !== null && saidOn !== path) setSaidOn(null);
  }, [saidOn, path]);
  if (saidOn !== path) return null;
  if (isLost) return <InvitationLost />;
  return (
    <Banner tone="success" isFlush>
      Your address is verified.
    </Banner>
  );
}
