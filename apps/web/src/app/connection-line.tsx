import { RailStatus } from '@wardline/ui/frame/rail.tsx';
import { useConnection } from '#/features/chat/index.ts';
import { useUnsentCount } from '#/page/device-context.ts';
import { connectionLine } from './connection-words.ts';

/** The quiet dot at the foot of the rail and its words. */
export function ConnectionLine() {
  return <RailStatus {...connectionLine(useConnection(), useUnsentCount())} />;
}
