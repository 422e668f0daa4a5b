import { expect, it } from 'vitest';
import { listeningOrigin } from './listen.ts';

it.each([
  ['127.0.0.1', 'IPv4', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'IPv4', 'http://localhost:8080'],
  ['::', 'IPv6', 'http://localhost:8080'],
  ['::1', 'IPv6', 'http://[::1]:8080'],
])('A4 links of a server that listens on %s (%s) begin with %s', (address, family, origin) => {
  expect(listeningOrigin({ address: () => ({ address, family, port: 8080 }) })).toBe(origin);
});

it('A4 a server that does not listen yet has no origin for links', () => {
  expect(() => listeningOrigin({ address: () => null })).toThrow('The server does not listen yet.');
});
