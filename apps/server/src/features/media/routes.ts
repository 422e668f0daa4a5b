import * as contract from '@wardline/contract/account/account.ts';
import { signImages as signImagesEndpoint } from '@wardline/contract/image-addresses.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { removeAvatar } from './remove-avatar.ts';
import { type AvatarDeps, setAvatar } from './set-avatar.ts';
import { type SignImagesDeps, signImages } from './sign-images.ts';

export function routes(deps: AvatarDeps & SignImagesDeps): Route[] {
  return [
    fileRoute(contract.setAvatar, setAvatar(deps)),
    route(contract.removeAvatar, removeAvatar(deps)),
    route(signImagesEndpoint, signImages(deps), { limit: 'background' }),
  ];
}
