import { serverNow } from '@wardline/client/server-clock.ts';
import { endOtherSessions, endSession, type Session } from '@wardline/contract/account/account.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Check, CloudOff, KeyRound, Monitor, Smartphone } from 'lucide-react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { deviceZone, momentIn } from '#/shared/time/zoned-time.ts';
import { sessionsKey, useSessions } from './account-queries.ts';
import { formatDevice, isHandheld } from './device-labels.ts';
import { formatLastSeen } from './format-last-seen.ts';
import { SettingsSection } from './settings-section.tsx';

/** ACC-5: where I am signed in, and the way to end it there. */
export function SessionsSection() {
  const query = useSessions();
  const call = useConfirmedCall();
  const queries = useQueryClient();
  const sessions = query.data?.data ?? [];
  const confirm = useConfirm();
  const endOthers = () =>
    confirm({
      title: 'End all other sessions?',
      description:
        'Every other browser and app is signed out at once, and your access tokens end. Unsent work stays on those devices until you sign in there again.',
      confirmLabel: 'End all others',
      async onConfirm() {
        await call(endOtherSessions);
        await queries.invalidateQueries({ queryKey: sessionsKey });
        sayDone('All other sessions ended');
      },
    });
  return (
    <SettingsSection
      id="devices"
      title="Sessions and devices"
      action={
        sessions.length > 1 && (
          <Button className="push" variant="link" color="error" onClick={() => void endOthers()}>
            End all others
          </Button>
        )
      }
    >
      <Card isList>
        {query.isPending && query.fetchStatus !== 'paused' && <Skeleton count={2} label="Loading the sessions" />}
        {query.isPending && query.fetchStatus === 'paused' && (
          <EmptyState icon={CloudOff} level={3} title="Available when you’re online" />
        )}
        {query.isError && (
          <ErrorState
            level={3}
            title="The sessions could not be loaded"
            message={formatAction(query.error)}
            onRetry={() => void query.refetch()}
          />
        )}
        {sessions.length > 0 && (
          <ul className="list">
            {sessions.map((session) => (
              <li key={session.id}>
                <SessionRow session={session} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </SettingsSection>
  );
}

function SessionRow({ session }: { session: Session }) {
  const call = useCall();
  const queries = useQueryClient();
  const end = useAction(async () => {
    await call(endSession, { params: { session: session.id } });
    await queries.invalidateQueries({ queryKey: sessionsKey });
  });
  const isToken = session.kind === 'token';
  const title = isToken ? (session.name ?? 'An access token') : formatDevice(session.user_agent);
  const icon = isToken ? KeyRound : isHandheld(session.user_agent) ? Smartphone : Monitor;
  return (
    <SettingsRow
      icon={icon}
      title={title}
      text={
        <>
          <SessionDetails session={session} />
          {end.error && <Banner tone="error">{end.error}</Banner>}
        </>
      }
    >
      {session.is_current ? (
        <Badge tone="success" icon={Check}>
          This device
        </Badge>
      ) : (
        <Button variant="outline" color="neutral" label={`End ${title}`} isLoading={end.isBusy} onClick={end.run}>
          End
        </Button>
      )}
    </SettingsRow>
  );
}

function SessionDetails({ session }: { session: Session }) {
  const zone = deviceZone();
  const seenAt = Date.parse(session.last_active_at ?? session.created_at);
  return (
    <>
      {session.ip !== null && `${session.ip} · `}
      <time dateTime={new Date(seenAt).toISOString()} title={momentIn(zone, seenAt)}>
        {session.is_current ? 'now' : formatLastSeen(seenAt, serverNow(), { zone })}
      </time>
      {session.remember && ' · own device'}
    </>
  );
}
