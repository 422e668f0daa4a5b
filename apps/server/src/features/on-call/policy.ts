import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';

interface InFacility {
  readonly facilityId: string;
}

/** Who is on call is for everybody there: it is whom one asks. */
export const seeOnCall = action<InFacility>(
  'on_call.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

export const seePhones = action<InFacility>('phones.see', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'phones.view'),
);

/** Roles and the shifts of anybody. */
export const manageOnCall = action<InFacility>('on_call.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'on_call.manage'),
);

export const takeOnCall = action<InFacility>('on_call.take', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'on_call.take'),
);

/** What one holds, one may hand on; what another holds, who plans the shifts. */
export const handOnCall = action<InFacility & { readonly holderId: string | null }>(
  'on_call.hand_over',
  (actor, { facilityId, holderId }) =>
    manageOnCall.allows(actor, { facilityId }) ||
    (holderId === actor.userId && takeOnCall.allows(actor, { facilityId })),
);
