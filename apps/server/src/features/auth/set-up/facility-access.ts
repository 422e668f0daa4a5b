import type { Transaction } from '#/platform/http/context.ts';

/** What the first set-up needs of facilities; the composition root adapts the feature to it. */
export interface FacilityAccess {
  /** Makes a facility with the shipped roles. Refuses a zone that there is not. */
  make(tx: Transaction, facility: NewFacility): Promise<{ readonly facilityId: string }>;
  /** Makes somebody a member who administers the facility. */
  admitAdministrator(tx: Transaction, who: { readonly facilityId: string; readonly userId: string }): Promise<void>;
}

export interface NewFacility {
  readonly name: string;
  readonly code: string;
  readonly timeZone: string;
  /** HH:MM. */
  readonly censusTime: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}
