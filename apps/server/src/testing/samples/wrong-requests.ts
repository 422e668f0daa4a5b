import { ErrorBody } from '@wardline/contract/errors.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

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
