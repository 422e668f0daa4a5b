import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

function request(forwarded?: string): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  Object.defineProperty(incoming.socket, 'remoteAddress', { value: '10.0.0.1' });
  if (forwarded !== undefined) incoming.headers['x-forwarded-for'] = forwarded;
  return incoming;
}

test.each([
  ['no proxy is trusted, whatever is claimed', '6.6.6.6', 0, '10.0.0.1'],
  ['one proxy: the address that it saw', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies: the address that the outer one saw', '6.6.6.6, 203.0.113.9, 10.0.0.7', 2, '203.0.113.9'],
  ['a proxy that says nothing: the connection', undefined, 1, '10.0.0.1'],
  ['fewer entries than proxies: the connection', '203.0.113.9', 2, '10.0.0.1'],
])('A39 the address of a socket when %s', (_name, forwarded, hops, expected) => {
  expect(clientAddress(request(forwarded), hops)).toBe(expected);
});
