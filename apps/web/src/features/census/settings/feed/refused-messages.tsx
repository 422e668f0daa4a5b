import { serverNow } from '@wardline/client/server-clock.ts';
import { type RefusedMessage, retryRefusedMessage } from '@wardline/contract/census/feed.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { Panel } from '#/features/census/core/panel.tsx';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { adviceFor, formatInstant, isWorthRetrying } from './feed-labels.ts';
import { useRefreshFeed, useRefusedMessages } from './feed-queries.ts';

/** The messages that the census could not take: why, what to do, and once more when that is done. */
export function RefusedMessages({ count }: { readonly count: number }) {
  const { facility } = useSettingsPlace();
  const query = useRefusedMessages(facility.id);
  return (
    <Card>
      <CardHead level={3} title={count === 0 ? 'No refused messages' : `Refused messages (${count})`} />
      <Panel query={query} what="the refused messages" isBare>
        {({ pages }) => {
          const messages = pages.flatMap(({ data }) => data);
          return (
            <div className="card-pad stack stack-4">
              <p className="muted">Kept for 30 days. What they say of patients is not shown to anybody.</p>
              {messages.length > 0 && (
                <ul className="stack stack-4" aria-label="Refused messages">
                  {messages.map((message) => (
                    <Row key={message.id} message={message} />
                  ))}
                </ul>
              )}
              <ShowMore list={query} />
            </div>
          );
        }}
      </Panel>
    </Card>
  );
}

function Row({ message }: { message: RefusedMessage }) {
  const { settings, lacks } = useSettingsPlace();
  const { isBusy, failure, retry } = useRetry(message);
  const { kind, sender, control_id, reason, error_code, answer, tries } = message;
  const today = dayIn(settings.time_zone, serverNow());
  const name = kind ?? 'A message that cannot be read';
  // Of what is not taken at all the newest stands for its kind.
  const isCounted = answer === 'AR';
  const when = formatInstant(isCounted ? message.tried_at : message.received_at, settings.time_zone, today);
  const often = tries > 1 && `${isCounted ? 'came' : 'tried'} ${counted(tries, 'time')}`;
  const details = [sender, control_id && `number ${control_id}`, often].filter(Boolean);
  return (
    <li className="stack stack-1">
      <span className="row wrap">
        <strong>{name}</strong>
        <Badge tone="error">{`Error ${error_code}`}</Badge>
        <span className="muted num">{[when, ...details].join(' · ')}</span>
      </span>
      <span>{`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}</span>
      <span className="row wrap">
        <span className="muted grow">{adviceFor(message)}</span>
        {isWorthRetrying(message) && (
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            label={`Try ${name} of ${when} again`}
            disabled={lacks !== null}
            isLoading={isBusy}
            onClick={retry}
          >
            Try again
          </Button>
        )}
      </span>
      {failure !== null && <Banner tone="error">{failure}</Banner>}
    </li>
  );
}

function useRetry({ id }: RefusedMessage) {
  const { facility } = useSettingsPlace();
  const call = useCall();
  const refresh = useRefreshFeed(facility.id);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const ask = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { refused } = await call(retryRefusedMessage, {
        params: { facility: facility.id, message: id },
        body: { client_id: uuidv7() },
      });
      if (refused === null) sayDone('The message was taken');
      else setFailure('It was refused again.');
      await refresh();
    } catch (error) {
      setFailure(formatFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, retry: () => void ask() };
}
