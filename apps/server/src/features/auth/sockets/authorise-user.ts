import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { authorizeUser as endpoint } from '@wardline/contract/realtime.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { bindSocket, type RealtimeAccess } from './realtime-access.ts';

/** Signs the person in on a socket of this session. */
export function authorizeUser({ realtime }: { readonly realtime: RealtimeAccess }) {
  return async (
    { actor }: Pick<RequestContext, 'actor'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    await bindSocket(realtime, body.socket_id, actor);
    const userData = JSON.stringify({ id: actor.userId, user_info: { name: actor.name } });
    return { auth: realtime.signUser(body.socket_id, userData), user_data: userData };
  };
}
