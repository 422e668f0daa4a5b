import { PERMISSIONS } from '@wardline/contract/permissions.ts';
import { describe, expect, it } from 'vitest';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { SHIPPED_ROLES } from '../roles/shipped-roles.ts';
import { removeMembers, seeFacility } from './policy.ts';

function actorWith(permissions: readonly string[] | null, options: { isOperator?: boolean } = {}): Actor {
  const membership = {
    id: 'm',
    facilityId: 'here',
    facilityName: 'Here',
    title: null,
    roles: [],
    permissions: new Set(permissions),
  };
  return {
    userId: 'u',
    name: 'N',
    email: 'n@people.test',
    emailVerifiedAt: null,
    isOperator: options.isOperator ?? false,
    avatarKey: null,
    memberships: permissions === null ? [] : [membership],
    credential: { kind: 'session', key: '00', abilities: ['*'] },
  };
}

describe('who may do what in a facility', () => {
  it.each([
    ['nobody of it', actorWith(null), false, false],
    ['an operator, PERM-4', actorWith(null, { isOperator: true }), false, false],
    ['a member without rights', actorWith([]), true, false],
    [
      'a member with all rights but one',
      actorWith(PERMISSIONS.filter((name) => name !== 'members.manage')),
      true,
      false,
    ],
    ['a member who manages members', actorWith(['members.manage']), true, true],
  ])('PERM-3 %s', (_who, actor, maySee, mayRemove) => {
    expect(can(actor, seeFacility, { facilityId: 'here' })).toBe(maySee);
    expect(can(actor, removeMembers, { facilityId: 'here' })).toBe(mayRemove);
    expect(can(actor, seeFacility, { facilityId: 'there' })).toBe(false);
    expect(can(actor, removeMembers, { facilityId: 'there' })).toBe(false);
  });

  it('PERM-2 ships one role that manages members, and none that only an administrator could need on a ward', () => {
    const withRight = Object.entries(SHIPPED_ROLES).filter(([, role]) =>
      role.permissions.some((name) => name === 'members.manage'),
    );
    expect(withRight.map(([name]) => name)).toEqual(['facilityAdministrator']);
    for (const role of Object.values(SHIPPED_ROLES))
      expect(new Set(role.permissions).size).toBe(role.permissions.length);
  });
});
