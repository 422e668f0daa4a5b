import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorize.ts';

interface AvatarFacts {
  readonly ownerId: string;
  /** Where its owner is a member now. */
  readonly facilityIds: readonly string[];
}

/** One's own, and those of the people of one's facilities. */
export const seeAvatar = action<AvatarFacts>(
  'avatar.see',
  (actor: Actor, { ownerId, facilityIds }) =>
    actor.userId === ownerId || facilityIds.some((id) => membershipIn(actor, id) !== undefined),
);
