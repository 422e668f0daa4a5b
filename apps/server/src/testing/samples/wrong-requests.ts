import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { ErrorBody } from '@wardline/contract/errors.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { guestWithCookies, signedIn, type TestClient } from '#/testing/test-client.ts';
import { clientOf, entitledFor, isForGuests, type World } from './contract-world.ts';
import { halfSignedIn } from './second-factor-samples.ts';

/** No wrong input is the server's fault, and each is answered in the shape that the contract states. */
export function expectRefusalOrAnswer(response: LightMyRequestResponse, what: unknown): void {
  // Nothing listens where the OpenID provider of the tests would be: that is another server's fault.
  const isOfAnother = response.statusCode === 502;
  if (!isOfAnother) expect(response.statusCode, JSON.stringify(what)).toBeLessThan(500);
  if (response.statusCode < 400) return;
  const body = ErrorBody.safeParse(response.json());
  expect(body.success, response.payload).toBe(true);
  expect(response.payload).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|select |insert |SyntaxError/i);
}

/** The one who is signed out by a request is not the one who sends the others; the system administration is asked by its own. */
export async function senderOf(
  endpoint: AnyEndpoint,
  { world, person }: { world: World; person: TestClient },
): Promise<TestClient> {
  if (isForGuests(endpoint)) return guestWithCookies(world.server);
  if (endpoint.name === 'answerTwoFactorChallenge') return halfSignedIn(world);
  if (entitledFor(endpoint) === 'operator') return clientOf(world, 'operator');
  return endpoint.name === 'signOut' ? signedIn(world.server, world.ours.entitled.id) : person;
}
