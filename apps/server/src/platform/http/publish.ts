import { type Channel, channelName, EVENT_NAMESPACE } from '@wardline/contract/channel.ts';
import type * as z from 'zod/mini';

/** An event on its way to a channel. Held until the transaction commits. */
export interface Publication {
  readonly channel: string;
  readonly event: string;
  readonly data: unknown;
  /** Whose news it is, on a channel of a person: a session to which that facility is closed is not told. */
  readonly facilityId?: string;
}

/** States an event; its payload is typed by the contract. */
export function publication<Events extends Record<string, z.ZodMiniType>, Name extends keyof Events & string>(
  channel: Channel<string, Events>,
  id: string,
  [event, data]: [name: Name, payload: z.output<Events[Name]>],
): Publication {
  return { channel: channelName(channel, id), event: EVENT_NAMESPACE + event, data };
}

/** The way out to the realtime server. `except` is the socket whose request caused the event. */
export type Publish = (publications: readonly Publication[], except?: string) => void;
