import type { Frame, TransportEvents } from './transport.ts';

const PACE_MS = 100;

/**
 * Hands events that come close after one another on together, in their order: each alone has the page drawn, and the thousand that a
 * network brings with it when it is back would hold up who types. The first one, what the protocol itself says, and what comes while
 * nobody looks at the page (whose timers the browser may hold back) waits for nothing.
 */
export function paceFrames(
  events: TransportEvents,
  isHidden = (): boolean => document.visibilityState === 'hidden',
): TransportEvents {
  const waiting: Frame[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function handOver(): void {
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) events.onFrame(frame);
  }

  function rest(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (waiting.length === 0) return;
      rest();
      handOver();
    }, PACE_MS);
  }

  return {
    onFrame(frame) {
      waiting.push(frame);
      const mayWait = timer !== undefined && !frame.event.startsWith('pusher') && !isHidden();
      if (mayWait) return;
      handOver();
      if (timer === undefined) rest();
    },
    onState(state) {
      handOver();
      events.onState(state);
    },
    onRefused(channelName, error) {
      handOver();
      events.onRefused(channelName, error);
    },
  };
}
