import { describe, expect, it } from 'vitest';
import { diffRoles } from './diff-roles.ts';

const nothing = { wanted: [], held: [], provided: [], membership: 'none' } as const;

describe('the roles that a provider’s groups give', () => {
  it('ACC-4 makes a member of who has a group, and nobody of who has none', () => {
    expect(diffRoles({ ...nothing, wanted: ['nurse', 'nurse'] })).toEqual({
      ...{ add: ['nurse'], remove: [], membership: 'add' },
    });
    expect(diffRoles(nothing)).toEqual({ add: [], remove: [], membership: 'keep' });
  });

  it('ACC-4 takes only what the provider gave, and ends only a membership that it gave', () => {
    const member = { wanted: [], held: ['nurse', 'clerk'], provided: ['nurse'] } as const;
    const took = { add: [], remove: ['nurse'], membership: 'keep' };
    expect(diffRoles({ ...member, membership: 'by_hand' })).toEqual(took);
    // Somebody gave a role by hand to who is a member by the provider.
    expect(diffRoles({ ...member, membership: 'provided' })).toEqual(took);
    expect(diffRoles({ ...member, held: ['nurse'], membership: 'provided' })).toEqual({ ...took, membership: 'end' });
    expect(diffRoles({ ...member, held: ['nurse'], membership: 'by_hand' })).toEqual(took);
  });

  it('ACC-4 leaves a role that was given by hand to the hand, also where a group names it', () => {
    const byHand = { wanted: ['nurse'], held: ['nurse'], provided: [], membership: 'by_hand' } as const;
    expect(diffRoles(byHand)).toEqual({ add: [], remove: [], membership: 'keep' });
    expect(diffRoles({ ...byHand, wanted: [] })).toEqual({ add: [], remove: [], membership: 'keep' });
  });

  it('ACC-4 changes one role for another in one step', () => {
    const moved = { wanted: ['charge'], held: ['nurse'], provided: ['nurse'], membership: 'provided' } as const;
    expect(diffRoles(moved)).toEqual({ add: ['charge'], remove: ['nurse'], membership: 'keep' });
  });
});
