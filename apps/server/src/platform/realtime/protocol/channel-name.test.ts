import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allowsClientEvents,
  type ChannelKind,
  needsAuth,
  parseChannelName,
  serverToUserChannel,
} from './channel-name.ts';

test.each<[string, ChannelKind, boolean]>([
  ['news', 'public', false],
  ['cache-news', 'public', true],
  ['private-chat.1', 'private', false],
  ['private-cache-chat.1', 'private', true],
  ['private-encrypted-chat.1', 'private-encrypted', false],
  ['private-encrypted-cache-chat.1', 'private-encrypted', true],
  ['presence-ward.2', 'presence', false],
  ['presence-cache-ward.2', 'presence', true],
  ['#server-to-user-42', 'server-to-user', false],
  ['Private-chat', 'public', false],
  ['a_-=@,.;Z9', 'public', false],
  ['privately', 'public', false],
  ['ward-cache-news', 'public', false],
  ['private-chat-cache-1', 'private', false],
  ['private-encrypted-chat-cache-1', 'private-encrypted', false],
  ['presence-ward-cache-2', 'presence', false],
  ['#server-to-user-cache-42', 'server-to-user', false],
])('RT-1 %s is a %s channel (remembers its last event: %s)', (name, kind, cache) => {
  expect(parseChannelName(name)).toMatchObject({ name, kind, cache });
});

test('RT-1 the user of a server-to-user channel is read from the name', () => {
  expect(parseChannelName(serverToUserChannel('u-7'))?.userId).toBe('u-7');
  expect(parseChannelName('news')?.userId).toBeNull();
});

test.each([
  [''],
  ['#'],
  ['#server-to-user-'],
  ['#server-to-user-a b'],
  ['#other'],
  ['private-*'],
  ['private-a/b'],
  ['private-a\nprivate-b'],
  ['ward\n'],
  ['wärd'],
  ['a'.repeat(201)],
  [`#server-to-user-${'a'.repeat(200)}`],
  [null],
  [undefined],
  [7],
  [['news']],
  [{ toString: () => 'news' }],
])('A13 %j is no channel name', (name) => {
  expect(parseChannelName(name)).toBeNull();
});

test('A13 a name is accepted exactly when every character is in the grammar and there are 1 to 200 of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 220 }), (name) => {
      const inGrammar = /^(#server-to-user-)?[A-Za-z0-9_\-=@,.;]+$/.test(name) && !name.endsWith('\n');
      expect(parseChannelName(name) !== null).toBe(inGrammar && name.length <= 200);
    }),
  );
  expect(parseChannelName('a'.repeat(200))).not.toBeNull();
});

test('A13 no prefix turns a channel that needs an auth string into one that does not', () => {
  const body = fc.stringMatching(/^[A-Za-z0-9_\-=@,.;]{1,40}$/);
  fc.assert(
    fc.property(fc.constantFrom('private-', 'presence-', 'private-encrypted-'), body, (prefix, rest) => {
      const parsed = parseChannelName(prefix + rest);
      expect(parsed !== null && needsAuth(parsed.kind)).toBe(true);
    }),
  );
});

test('RT-1 client events are for private and presence channels only', () => {
  const kinds: ChannelKind[] = ['public', 'private', 'presence', 'private-encrypted', 'server-to-user'];
  expect(kinds.filter(allowsClientEvents)).toEqual(['private', 'presence']);
});
