import { createHash } from 'node:crypto';
import { SCIM_ROOT } from '@wardline/contract/account/scim.ts';
import type { GroupRow, UserRow } from './scim-queries.ts';
import type { UserAttributes } from './user-attributes.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export interface Resource {
  readonly id: string;
  readonly meta: {
    readonly resourceType: string;
    readonly version: string;
    readonly location: string;
    readonly [name: string]: string;
  };
}

/** A person in the form of RFC 7643, section 4.1; the addresses are absolute, as its section 3.1 asks. */
export function toUser(row: UserRow, origin: string): Resource {
  const { id, user_name, external_id, display_name, given_name, family_name, title, email, is_member, roles } = row;
  const user = {
    schemas: [USER_SCHEMA],
    id,
    ...(external_id !== null && { externalId: external_id }),
    userName: user_name,
    ...(display_name !== null && { displayName: display_name }),
    name: {
      ...(display_name !== null && { formatted: display_name }),
      ...(given_name !== null && { givenName: given_name }),
      ...(family_name !== null && { familyName: family_name }),
    },
    ...(title !== null && { title }),
    emails: [{ value: email, type: 'work', primary: true }],
    active: is_member,
    groups: roles.map(({ value, display }) => ({ value, display, $ref: `${origin}${SCIM_ROOT}/Groups/${value}` })),
  };
  const [created, lastModified] = [row.created_at.toISOString(), row.updated_at.toISOString()];
  const location = `${origin}${SCIM_ROOT}/Users/${id}`;
  return { ...user, meta: { resourceType: 'User', created, lastModified, location, version: versionOf(user) } };
}

/** A role in the form of RFC 7643, section 4.2. */
export function toGroup({ id, name, members }: GroupRow, origin: string, withMembers = true): Resource {
  const group = {
    schemas: [GROUP_SCHEMA],
    id,
    displayName: name,
    ...(withMembers && {
      members: members.map((member) => ({ ...member, $ref: `${origin}${SCIM_ROOT}/Users/${member.value}` })),
    }),
  };
  const location = `${origin}${SCIM_ROOT}/Groups/${id}`;
  return { ...group, meta: { resourceType: 'Group', location, version: versionOf({ id, name, members }) } };
}

export function toList(resources: readonly Resource[], { total, startIndex }: { total: number; startIndex: number }) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

export function attributesOf(row: UserRow): UserAttributes {
  return {
    userName: row.user_name,
    email: row.email,
    externalId: row.external_id,
    displayName: row.display_name,
    givenName: row.given_name,
    familyName: row.family_name,
    title: row.title,
    isActive: row.is_member,
  };
}

/** Weak: it says whether anything that is shown has changed. */
function versionOf(shown: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`;
}
