import type { Account } from '@wardline/contract/account.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { getAccountRow } from './account-queries.ts';
import { toAccount } from './to-account.ts';

export async function getAccount({ actor, db }: Pick<RequestContext, 'actor' | 'db'>): Promise<Account> {
  return toAccount(await getAccountRow(db, actor.userId));
}
