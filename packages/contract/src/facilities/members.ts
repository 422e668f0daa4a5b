import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';

/** A person as others of the facility see them. */
export const Member = z.object({
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
  roles: z.array(z.string()),
  /** Null also for who may not see telephone numbers. */
  phone: z.optional(z.nullable(z.string())),
  /** The on-call roles that they hold as the answer is given. */
  on_call: z.optional(z.array(z.string())),
});
export type Member = z.infer<typeof Member>;

const facilityParams = z.strictObject({ facility: Id });
const memberParams = z.strictObject({ facility: Id, user: Id });

export const listMembers = endpoint({
  name: 'listMembers',
  summary: 'The people of a facility, by name.',
  method: 'GET',
  path: '/api/facilities/{facility}/members',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
    q: z.optional(Text(0, 80)),
    may: z.optional(z.enum(['on_call.take'])),
  }),
  body: Nothing,
  status: 200,
  reply: Page(Member),
});

export const getMember = endpoint({
  name: 'getMember',
  summary: 'One person of a facility.',
  method: 'GET',
  path: '/api/facilities/{facility}/members/{user}',
  access: 'signed-in',
  params: memberParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Member,
});

/** Somebody of a facility who has deleted their account. */
export const DeletedMember = z.object({
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  /** Those they had at last. */
  roles: z.array(z.string()),
  deleted_at: Instant,
});
export type DeletedMember = z.infer<typeof DeletedMember>;

export const listDeletedMembers = endpoint({
  name: 'listDeletedMembers',
  summary: 'Who of a facility has deleted their account, the latest first.',
  method: 'GET',
  path: '/api/facilities/{facility}/deleted-members',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(DeletedMember),
});

export const removeMember = endpoint({
  name: 'removeMember',
  summary: 'Ends a membership: chats, channels and cached copies of the facility go with it.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/members/{user}',
  access: 'signed-in',
  params: memberParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

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
  params: memberParams,
  query: Nothing,
  body: z.strictObject({ phone: z.nullable(Phone) }),
  status: 200,
  reply: Member,
});

export const setMemberTitle = endpoint({
  name: 'setMemberTitle',
  summary: 'What somebody is in a facility, for who manages its members; null takes it away.',
  method: 'PUT',
  path: '/api/facilities/{facility}/members/{user}/title',
  access: 'signed-in',
  params: memberParams,
  query: Nothing,
  body: z.strictObject({ title: z.nullable(Text(1, 80)) }),
  status: 200,
  reply: Member,
});

/** The people of a facility: for the pages and dialogs that look for them, which load them when they open. */
export const memberEndpoints = [
  listDeletedMembers,
  listMembers,
  getMember,
  removeMember,
  setMemberPhone,
  setMemberTitle,
] as const;
