import type { Account } from '@wardline/contract/account.ts';
import type { AccountRow } from './account-queries.ts';

export function toAccount(row: AccountRow): Account {
  return {
    ...row,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    password_changed_at: row.password_changed_at?.toISOString() ?? null,
  };
}
