import type { RawBuilder } from 'kysely';

/** What a page of a list is asked for. */
export interface OwnDataPage {
  readonly userId: string;
  /** The place of the last row that was read; null begins. */
  readonly after: string | null;
  readonly limit: number;
  /** Where the person is let in now and the facility gives the texts of their messages. */
  readonly textFacilityIds: readonly string[];
}

/**
 * One list of a copy of somebody's own data; each feature brings those that are about its things. Its query gives rows of
 * `{ row, place }`, the places rising: what of the person stands there, and nothing that somebody else wrote.
 */
export interface OwnDataList {
  readonly name: string;
  query(page: OwnDataPage): RawBuilder<unknown>;
}
