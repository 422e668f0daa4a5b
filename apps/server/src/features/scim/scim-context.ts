import type { Database } from '#/platform/db/database.ts';
import type { FacilityPerson } from '#/platform/http/authorization/find-permissions.ts';
import type { Write } from '#/platform/http/context.ts';
import type { Resource } from './resources.ts';
import { ScimError } from './scim-error.ts';

/** What a verb of SCIM is given besides its input: the facility of the token, and nothing of any other. */
export interface ScimContext {
  readonly db: Database;
  readonly write: Write;
  /** The facility, and who made the token. */
  readonly maker: FacilityPerson;
  /** The other facilities to which who made it belongs: the token is of none of them. */
  readonly elsewhere: readonly string[];
  readonly tokenId: string;
  readonly origin: string;
  /** The version that a change expects (RFC 7644, section 3.14). */
  readonly ifMatch: string | null;
}

export function notFound(): ScimError {
  return new ScimError(404, null, 'Not found.');
}

export function mustMatch({ ifMatch }: ScimContext, { meta }: Resource): void {
  if (ifMatch === null || ifMatch === '*' || ifMatch.split(/\s*,\s*/).includes(meta.version)) return;
  throw new ScimError(412, null, 'It has changed since that version.');
}

/** What every entry of the audit says: by which token, since no person acts. */
export function auditOf({ maker, tokenId }: ScimContext, detail: Readonly<Record<string, unknown>> = {}) {
  return { facilityId: maker.facilityId, detail: { scim_token: tokenId, ...detail } };
}
