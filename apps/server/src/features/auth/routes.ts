import * as contract from '@wardline/contract/auth.ts';
import * as realtimeContract from '@wardline/contract/realtime.ts';
import { publicRoute, type Route, route } from '#/platform/http/route.ts';
import { type AuthoriseChannelDeps, authoriseChannel } from './authorise-channel.ts';
import { authoriseUser } from './authorise-user.ts';
import { createToken } from './create-token.ts';
import { getCsrfCookie } from './get-csrf-cookie.ts';
import { getDeviceKey } from './get-device-key.ts';
import { getUser } from './get-user.ts';
import { type SignInDeps, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export function routes(deps: SignInDeps & AuthoriseChannelDeps & { readonly appKey: Buffer }): Route[] {
  return [
    publicRoute(contract.getCsrfCookie, getCsrfCookie),
    publicRoute(contract.signIn, signIn(deps)),
    route(contract.signOut, signOut(deps)),
    route(contract.getUser, getUser),
    publicRoute(contract.createToken, createToken(deps)),
    route(contract.getDeviceKey, getDeviceKey(deps)),
    route(realtimeContract.authoriseChannel, authoriseChannel(deps)),
    route(realtimeContract.authoriseUser, authoriseUser(deps)),
  ];
}
