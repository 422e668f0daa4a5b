import { RailStatus } from '@wardline/ui/frame/rail.tsx';
import { connectionLine } from '#/app/unsent/connection-labels.ts';
import { useUnsentList } from '#/app/unsent/use-unsent-list.ts';
import { useConnection } from '#/features/chat/index.ts';
import { useUnsentCount } from '#/shared/contexts/device-context.ts';

/** The quiet dot at the foot of the rail and its words; while something waits it leads to the list of it. */
export function ConnectionLine() {
  const outbox = useUnsentCount();
  const show = useUnsentList();
  const isOwed = outbox.waiting + outbox.failed > 0;
  return <RailStatus {...connectionLine(useConnection(), outbox)} {...(isOwed ? { onClick: show } : {})} />;
}
