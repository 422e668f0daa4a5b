import type { UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { useUnsentList } from './use-unsent-list.ts';

const hourMs = 60 * 60 * 1000;

/** What the server would not have waits for its author, not for the network. */
export function RefusedNotice({ failed, kinds }: Pick<UnsentCount, 'failed' | 'kinds'>) {
  const [was, it] = failed === 1 ? ['was', 'It is'] : ['were', 'They are'];
  return (
    <Banner tone="warning" isFlush title={`${formatUnsent(failed, kinds)} ${was} refused.`} action={<ShowUnsent />}>
      {it} kept here until you decide.
    </Banner>
  );
}

interface OverdueNoticeProps extends Pick<UnsentCount, 'waiting' | 'kinds'> {
  readonly waitedMs: number;
}

/** What has waited for so long that its author should see to it. */
export function OverdueNotice({ waiting, kinds, waitedMs }: OverdueNoticeProps) {
  const [has, it, them] = waiting === 1 ? ['has', 'It is', 'it'] : ['have', 'They are', 'them'];
  const title = `${formatUnsent(waiting, kinds)} ${has} waited ${Math.floor(waitedMs / hourMs)} h.`;
  return (
    <Banner tone="warning" isFlush title={title} action={<ShowUnsent />}>
      {it} kept on this device. Check the connection, or copy {them}.
    </Banner>
  );
}

/** Since when it waits; where that was a moment ago one knows oneself. */
export function UnsentAge({ waiting, oldestWaitingAt }: Pick<UnsentCount, 'waiting' | 'oldestWaitingAt'>) {
  useNow();
  // By the device's clock, as it was written.
  const minutes = oldestWaitingAt === null ? 0 : Math.floor((Date.now() - Date.parse(oldestWaitingAt)) / 60_000);
  if (minutes < 1) return null;
  const age = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return ` ${waiting === 1 ? 'Written' : 'The oldest was written'} ${age} ago.`;
}

const notLive: Readonly<Record<'blocked' | 'refused', { readonly title: string; readonly cure: string }>> = {
  blocked: {
    title: 'This browser or network blocks live updates.',
    cure: 'Try another network or browser, or tell your administrator.',
  },
  refused: {
    title: 'The server refused live updates.',
    cure: 'If trying again does not help, tell your administrator.',
  },
};

interface NotLiveNoticeProps extends Pick<UnsentCount, 'waiting' | 'kinds'> {
  readonly why: 'blocked' | 'refused';
}

/** The socket does not come back by itself: what that means, who can mend it, and the way to try again (F-C1). */
export function NotLiveNotice({ why, waiting, kinds }: NotLiveNoticeProps) {
  const realtime = useRealtime();
  const { title, cure } = notLive[why];
  const actions = (
    <>
      <Button variant="link" onClick={() => realtime?.wake()}>
        Try again
      </Button>
      {waiting > 0 && <ShowUnsent />}
    </>
  );
  return (
    <Banner tone="warning" isFlush title={title} action={actions}>
      {waiting > 0 && `${formatUnsent(waiting, kinds)} ${waiting === 1 ? 'waits' : 'wait'} to be sent. `}
      What you send still goes out. Load the page again to see what is new. {cure}
    </Banner>
  );
}

/** What is written lives in this tab only. */
export function NothingKeptNotice() {
  return (
    <Banner tone="warning" isFlush title="This browser can’t store unsent work.">
      Don’t close this tab until everything is sent.
    </Banner>
  );
}

/** The way to the list of what waits. */
export function ShowUnsent() {
  return (
    <Button variant="link" onClick={useUnsentList()}>
      Show unsent
    </Button>
  );
}
