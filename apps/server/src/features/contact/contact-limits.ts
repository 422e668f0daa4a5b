import { placeOf } from '#/platform/http/edge/client-address.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';

const HOUR_S = 60 * 60;

/** Takes a message from this address or throws 429: 5 an hour from one place, 200 a day from everywhere. */
export type TakeMessage = (ip: string) => Promise<void>;

export function createContactLimits(createCounter: CreateCounter): TakeMessage {
  const perPlace = createCounter('contact from a place', { points: 5, duration: HOUR_S });
  const overall = createCounter('contact', { points: 200, duration: 24 * HOUR_S });
  return async (ip) => {
    await perPlace.take(placeOf(ip));
    await overall.take('all');
  };
}
