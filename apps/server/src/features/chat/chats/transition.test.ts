import { CHAT_STATES } from '@wardline/contract/chat/chat.ts';
import { expect, test } from 'vitest';
import { transition } from './transition.ts';

const at = (state: (typeof CHAT_STATES)[number]) => ({ title: 'Night team', state, version: 4 });

test('CHAT-7 a chat moves only along the listed ways', () => {
  const ways = CHAT_STATES.flatMap((from) =>
    CHAT_STATES.filter((to) => transition(at(from), { expected_version: 4, state: to }).kind === 'changed').map(
      (to) => `${from} → ${to}`,
    ),
  );
  expect(ways).toEqual([
    'open → handed_over',
    'open → closed',
    'handed_over → open',
    'handed_over → closed',
    'closed → open',
    'closed → archived',
    'archived → closed',
  ]);
  expect(transition(at('open'), { expected_version: 4, state: 'archived' })).toEqual({ kind: 'impossible' });
});

test('CHAT-7 a stale version changes nothing, whatever else is asked', () => {
  expect(transition(at('open'), { expected_version: 3, state: 'archived' })).toEqual({ kind: 'stale' });
  expect(transition(at('open'), { expected_version: 5, title: 'Night team' })).toEqual({ kind: 'stale' });
});

test('CHAT-7 each change has its line and one new version; asking for what is so changes nothing', () => {
  expect(transition(at('open'), { expected_version: 4, title: 'Days', state: 'closed' })).toEqual({
    kind: 'changed',
    next: { title: 'Days', state: 'closed', version: 5 },
    lines: ['renamed the chat to “Days”', 'closed the chat'],
  });
  expect(transition(at('open'), { expected_version: 4, title: 'Night team', state: 'open' })).toEqual({
    kind: 'unchanged',
  });
  expect(transition(at('open'), { expected_version: 4 })).toEqual({ kind: 'unchanged' });
});
