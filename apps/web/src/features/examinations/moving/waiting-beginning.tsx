import { onServerClock } from '@wardline/client/server-clock.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { laneOf } from './move-outbox.ts';
import { type BeginItem, useMoveOutbox } from './use-waiting-moves.ts';

interface WaitingBeginningProps {
  readonly item: BeginItem;
  /** It and what was typed are gone from this device. */
  readonly onDiscarded: () => void;
}

/** Over an examination that is not on the server: since when it waits, or why it was refused, and what can be done. */
export function WaitingBeginning({ item, onDiscarded }: WaitingBeginningProps) {
  const { unsent, beginnings } = useMoveOutbox();
  const confirm = useConfirm();
  const now = useNow();
  const waitedMs = now - onServerClock(Date.parse(item.writtenAt));
  const age = waitedMs < 60_000 ? 'just now' : `${formatSpan(waitedMs)} ago`;
  const discard = () =>
    void confirm({
      title: 'Discard this examination?',
      description: 'It was never sent. It and what you typed are deleted from this device for good.',
      confirmLabel: 'Discard',
      onConfirm: async () => {
        const moves = unsent.get().filter(({ lane }) => lane === laneOf(item.clientId));
        for (const { clientId } of moves) await unsent.discard(clientId);
        await beginnings.discard(item.clientId);
        onDiscarded();
      },
    });
  const sendAgain = async () => {
    await beginnings.retry(item.clientId);
    beginnings.flush();
  };
  const discarding = (
    <Button variant="link" size="sm" onClick={discard}>
      Discard
    </Button>
  );
  if (item.state !== 'failed') {
    return (
      <Banner isFlush tone="warning" title="Waiting to be sent." action={item.state === 'waiting' && discarding}>
        Begun {age} on this device. Others don’t see it yet. What you type is kept here and goes with it.
      </Banner>
    );
  }
  return (
    <Banner
      isFlush
      tone="error"
      title="Not begun."
      action={
        <span className="row row-1">
          <Button variant="link" size="sm" onClick={() => void sendAgain()}>
            Send again
          </Button>
          {discarding}
        </span>
      }
    >
      {item.reason}
    </Banner>
  );
}
