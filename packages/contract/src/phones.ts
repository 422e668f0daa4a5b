import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Member } from './facilities.ts';
import { Id, Nothing, Text } from './values.ts';

/** A telephone number as it is dialled: digits, or a number of the house; `+`, spaces and brackets as one writes them. */
export const Phone = Text(2, 40).check(
  z.regex(/^[+*#(]?[0-9*#][0-9*# ()./-]*$/, 'Digits, spaces and + only, as it is dialled.'),
);

export const setMemberPhone = endpoint({
  name: 'setMemberPhone',
  summary: 'My telephone number in a facility, or that of anybody there for who manages its members.',
  method: 'PUT',
  path: '/api/facilities/{facility}/members/{user}/phone',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, user: Id }),
  query: Nothing,
  body: z.strictObject({ phone: z.nullable(Phone) }),
  status: 200,
  reply: Member,
});

export const phoneEndpoints = [setMemberPhone] as const;
