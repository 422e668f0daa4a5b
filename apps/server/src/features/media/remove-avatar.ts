import type { User } from '@wardline/contract/account/auth.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type AvatarDeps, changeAvatar } from './set-avatar.ts';

/** Removes one's picture; without one nothing changes. */
export function removeAvatar(deps: AvatarDeps) {
  return (ctx: RequestContext): Promise<User> => changeAvatar(deps, ctx, null);
}
