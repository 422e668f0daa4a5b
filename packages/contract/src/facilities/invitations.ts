import * as z from 'zod/mini';
import { LinkToken } from '../account/account.ts';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';

/** A link with which one person joins a facility, once. The link itself is shown only when it is made. */
export const Invitation = z.object({
  id: Id,
  /** Whom it is for, in the words of who made it. */
  note: z.nullable(z.string()),
  title: z.nullable(z.string()),
  /** To whom the link was mailed, for 30 days; null where it is handed over. */
  email: z.optional(z.nullable(z.string())),
  roles: z.array(z.string()),
  created_by_name: z.string(),
  created_at: Instant,
  expires_at: Instant,
  /** `waiting`: somebody signed up with it and has not followed the mailed link yet. */
  state: z.enum(['open', 'waiting', 'used', 'revoked', 'expired']),
});
export type Invitation = z.infer<typeof Invitation>;

/** A named set of permissions in a facility. */
export const Role = z.object({ id: Id, name: z.string(), permissions: z.array(z.string()) });
export type Role = z.infer<typeof Role>;

const facilityParams = z.strictObject({ facility: Id });

export const listRoles = endpoint({
  name: 'listRoles',
  summary: 'The roles of a facility.',
  method: 'GET',
  path: '/api/facilities/{facility}/roles',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Role) }),
});

export const listInvitations = endpoint({
  name: 'listInvitations',
  summary: 'The invitations of a facility, the newest first.',
  method: 'GET',
  path: '/api/facilities/{facility}/invitations',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(Invitation),
});

export const createInvitation = endpoint({
  name: 'createInvitation',
  summary: 'Makes an invitation with its roles; good for 7 days and one person.',
  method: 'POST',
  path: '/api/facilities/{facility}/invitations',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    role_ids: z.array(Id).check(z.maxLength(20)),
    title: z.optional(z.nullable(Text(1, 80))),
    note: z.optional(z.nullable(Text(1, 120))),
  }),
  status: 201,
  reply: z.object({ invitation: Invitation, token: LinkToken }),
});

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  summary: 'Makes an invitation useless.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/invitations/{invitation}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, invitation: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const showInvitation = endpoint({
  name: 'showInvitation',
  summary: 'Where an invitation leads. 404 when it has no force any more.',
  method: 'GET',
  path: '/api/invitations/{token}',
  access: 'public',
  params: z.strictObject({ token: LinkToken }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({
    facility_name: z.string(),
    expires_at: Instant,
    /** To whom the link was mailed; null where it was handed over. */
    email: z.optional(z.nullable(z.string())),
    /** Whether who is signed in belongs there already. */
    is_member: z.optional(z.boolean()),
  }),
});

export const acceptInvitation = endpoint({
  name: 'acceptInvitation',
  summary: 'Joins the facility as the person who is signed in.',
  method: 'POST',
  path: '/api/invitations/{token}/accept',
  access: 'signed-in',
  params: z.strictObject({ token: LinkToken }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const invitationEndpoints = [
  listRoles,
  listInvitations,
  createInvitation,
  revokeInvitation,
  showInvitation,
  acceptInvitation,
] as const;
