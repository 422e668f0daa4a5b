interface RolesOfMember {
  /** By the provider's groups, now. */
  readonly wanted: readonly string[];
  /** All that the member holds. */
  readonly held: readonly string[];
  /** Those of them that this provider gave. */
  readonly provided: readonly string[];
  /** What the membership itself is: given by this provider, by hand, or none. */
  readonly membership: 'provided' | 'by_hand' | 'none';
}

export interface RoleChanges {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly membership: 'add' | 'keep' | 'end';
}

/** What has to change so that a member has what the groups say; nothing that was given by hand is taken. */
export function diffRoles({ wanted, held, provided, membership }: RolesOfMember): RoleChanges {
  const add = [...new Set(wanted)].filter((role) => !held.includes(role));
  const remove = provided.filter((role) => !wanted.includes(role));
  if (membership === 'none') return { add, remove: [], membership: add.length > 0 ? 'add' : 'keep' };
  const isLeft = add.length > 0 || held.some((role) => !remove.includes(role));
  // A member without a role is one by hand alone.
  return { add, remove, membership: membership === 'provided' && !isLeft ? 'end' : 'keep' };
}
