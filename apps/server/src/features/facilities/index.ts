// Facilities and who belongs to them: what a member sees of the others, and how a membership ends.
// What members do there lives with the feature that does it.
import type { Route } from '#/platform/http/route.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { channels } from './policy.ts';
import type { RemoveMemberDeps } from './remove-member.ts';
import { routes } from './routes.ts';

export { SHIPPED_ROLES, type ShippedRole } from './shipped-roles.ts';

export interface FacilitiesFeature {
  readonly routes: Route[];
  readonly channels: readonly ChannelRule[];
}

export function facilitiesFeature(deps: RemoveMemberDeps): FacilitiesFeature {
  return { routes: routes(deps), channels };
}
