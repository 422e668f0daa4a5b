import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { register } from './account/account.ts';
import { Count, DischargeDays } from './census/census.ts';
import { ATTACHMENTS_MAX } from './chat/attachments.ts';
import { MESSAGE_BODY_MAX, sendMessage } from './chat/chat.ts';
import { createChat } from './chat/chat-management.ts';
import { Cursor, Email, GivenPassword, LimitQuery, NewPassword, Seq, SeqQuery, Text } from './values.ts';

const a = (length: number) => 'a'.repeat(length);
const ID = '01890000-0000-7000-8000-000000000001';
const said = (body: string, files?: number) => ({
  ...{ client_id: ID, body },
  ...(files !== undefined && { attachments: Array.from({ length: files }, () => ID) }),
});
const BOUNDS: readonly [name: string, schema: z.ZodMiniType, inside: unknown[], outside: unknown[]][] = [
  ['a page', LimitQuery, ['1', '200', 1, 200], ['0', '201', '-1', '1.5', '']],
  ['a place in a chat', Seq, [0, 1], [-1, 0.5]],
  ['a place in a query', SeqQuery, ['0', '9'.repeat(15)], ['9'.repeat(16), '-1', ' 1']],
  ['a cursor', Cursor, [a(1), a(512)], ['', a(513), 'a b']],
  ['a text', Text(2, 3), [a(2), a(3), ' aaa '], [a(1), ' a ', a(4), 'a\u0000a', 'a\ud800']],
  ['a password that is said', GivenPassword, [a(1), a(128)], ['', a(129)]],
  ['a password that is set', NewPassword, [a(15), a(128)], [a(14), a(129)]],
  ['an email address', Email, [`${a(64)}@b.c`], ['', 'a', `${a(65)}@b.c`, `a@${`${a(60)}.`.repeat(5)}c`]],
  ['a count', Count, [0, 9999], [-1, 10_000, 0.5]],
  ['days of stay, added', DischargeDays, [0, 999_999], [-1, 1_000_000, 0.5, '7']],
  ['the name of a person', register.body.shape.name, [a(1), a(120)], ['', '  ', a(121)]],
  [
    'a message',
    sendMessage.body,
    [said(a(1)), said(a(MESSAGE_BODY_MAX)), said('', 1), said('', ATTACHMENTS_MAX)],
    [said(''), said(' ', 0), said(a(MESSAGE_BODY_MAX + 1)), said('', ATTACHMENTS_MAX + 1)],
  ],
  ['the title of a chat', createChat.body.shape.title, [a(1), a(120)], ['', a(121)]],
];

test.each(BOUNDS)('A41 %s is taken up to its bounds and refused beyond them', (_name, schema, inside, outside) => {
  const isTaken = (value: unknown) => schema.safeParse(value).success;
  expect(inside.filter((value) => !isTaken(value))).toEqual([]);
  expect(outside.filter(isTaken)).toEqual([]);
});

test('F-N14 a count is described to clients as a whole number from 0 to 9999', () => {
  expect(z.toJSONSchema(Count, { unrepresentable: 'any' })).toMatchObject({
    type: 'integer',
    minimum: 0,
    maximum: 9999,
  });
});
