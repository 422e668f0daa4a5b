import { EVERY_ABILITY } from '@wardline/contract/account/personal-tokens.ts';
import { type SqlBool, sql } from 'kysely';

/** That a row of access_tokens is a personal one, made in the settings, and not what an app got by signing in. */
export const isPersonal = sql<SqlBool>`not ${EVERY_ABILITY} = any(abilities)`;

/** That a row of access_tokens has force. An app's ends when it was not used for 30 days, a personal one on its day alone. */
export const hasForce = sql<SqlBool>`(expires_at > now()
  and (${isPersonal} or coalesce(last_used_at, created_at) > now() - interval '30 days'))`;
