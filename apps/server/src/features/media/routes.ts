import * as contract from '@wardline/contract/account.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { removeAvatar } from './remove-avatar.ts';
import { type AvatarDeps, setAvatar } from './set-avatar.ts';

export function routes(deps: AvatarDeps): Route[] {
  return [fileRoute(contract.setAvatar, setAvatar(deps)), route(contract.removeAvatar, removeAvatar(deps))];
}
