import type { User } from '@wardline/contract/account/auth.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { describeUser } from './describe-user.ts';

/** The identity as it was read for this request. */
export async function getUser({ actor }: Pick<RequestContext, 'actor'>): Promise<User> {
  return describeUser(actor);
}
