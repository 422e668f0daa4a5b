import { serverNow } from '@wardline/client/server-clock.ts';
import { type DeadJob, discardJob, type JobKind, retryJob } from '@wardline/contract/facilities/system.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { CircleCheck } from 'lucide-react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { Loaded } from './loaded.tsx';
import { formatJobKind, formatReason } from './system-labels.ts';
import { useDeadJobs, useJobQueue, useRefreshSystem } from './use-system.ts';

/** What the server does later: emails, notifications, clearing up. */
export function JobsPart() {
  const queue = useJobQueue();
  const dead = useDeadJobs();
  return (
    <>
      <h2 className="t16">Failed for good</h2>
      <Card isList>
        <Loaded of={dead} failed="The failed jobs did not load" loading="Loading the failed jobs">
          {({ pages }) => {
            const jobs = pages.flatMap((page) => page.data);
            if (jobs.length === 0) return <EmptyState icon={CircleCheck} level={3} title="No failed jobs" />;
            return (
              <>
                <ul className="list" aria-label="Failed for good">
                  {jobs.map((job) => (
                    <li key={job.id}>
                      <DeadJobRow job={job} />
                    </li>
                  ))}
                </ul>
                <ShowMore list={dead} />
              </>
            );
          }}
        </Loaded>
      </Card>
      {/* Under a list of any length, so after it (F-U8). */}
      <div hidden={dead.isLoading}>
        <div className="stack stack-4">
          <h2 className="t16">Queue</h2>
          <Card isList>
            <Loaded of={queue} failed="The queue did not load" loading="Loading the queue">
              {({ kinds, oldest_due_at }) =>
                kinds.length === 0 ? (
                  <EmptyState icon={CircleCheck} level={3} title="The queue is empty" />
                ) : (
                  <>
                    {oldest_due_at !== null && (
                      <p className="sys-head">The oldest that is due has been waiting for {sinceOf(oldest_due_at)}.</p>
                    )}
                    <ul className="list" aria-label="Queue">
                      {kinds.map((kind) => (
                        <li key={kind.kind}>
                          <ListRow title={formatJobKind(kind.kind)} text={countsOf(kind)} />
                        </li>
                      ))}
                    </ul>
                  </>
                )
              }
            </Loaded>
          </Card>
        </div>
      </div>
    </>
  );
}

function sinceOf(instant: string): string {
  return formatSpan(serverNow() - Date.parse(instant));
}

function countsOf({ waiting, retrying, dead }: JobKind): string {
  const counts = [
    [waiting, 'waiting'],
    [retrying, 'tried again'],
    [dead, 'failed for good'],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return said.join(' · ');
}

function DeadJobRow({ job }: { readonly job: DeadJob }) {
  const call = useCall();
  const confirm = useConfirm();
  const refresh = useRefreshSystem();
  const params = { job: job.id };
  const title = formatJobKind(job.kind);
  const retry = useAction(async () => {
    await call(retryJob, { params });
    await refresh();
  });
  const discard = () =>
    void confirm({
      title: 'Discard this job?',
      description: `${title}: it is never done, and nobody is told.`,
      confirmLabel: 'Discard',
      async onConfirm() {
        await call(discardJob, { params });
        await refresh();
      },
    });
  const small = { variant: 'outline', color: 'neutral', size: 'sm' } as const;
  return (
    <SettingsRow
      title={title}
      text={
        <>
          <p>
            {formatReason(job.reason)} · {sinceOf(job.dead_at)} ago, after {job.attempts} tries
          </p>
          {retry.error !== null && (
            <p className="c-error" role="alert">
              {retry.error}
            </p>
          )}
        </>
      }
    >
      <span className="row wrap">
        <Button {...small} label={`Try again: ${title}`} isLoading={retry.isBusy} onClick={retry.run}>
          Try again
        </Button>
        <Button {...small} label={`Discard: ${title}`} onClick={discard}>
          Discard
        </Button>
      </span>
    </SettingsRow>
  );
}
