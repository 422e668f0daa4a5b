import type { Account } from '@wardline/contract/account/account.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { getAccountRow, toAccount } from './account-queries.ts';

export async function getAccount({ actor, db }: Pick<RequestContext, 'actor' | 'db'>): Promise<Account> {
  return toAccount(await getAccountRow(db, actor.userId));
}
