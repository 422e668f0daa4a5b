import type { Database } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

export interface FacilityLeft {
  readonly id: string;
  readonly changes: readonly Publication[];
}

/** What the end of an account means in the facilities it belongs to; the composition root adapts the features to it. */
export interface AccountEnding {
  /** The names of facilities in which this person alone can manage the members. */
  findSoleFacilities(db: Database, userId: string): Promise<string[]>;
  /** Ends every membership and frees the shifts. Refuses, and names the facility, where nobody would be left in charge. */
  leave(tx: Transaction, userId: string): Promise<FacilityLeft[]>;
}
