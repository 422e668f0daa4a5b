import type { LaboratoryStatus } from '@wardline/contract/examinations/laboratory.ts';

/** Somebody of another system, by their id there. */
export interface NamedElsewhere {
  readonly user_id: string;
  readonly name: string;
}

/** What a FHIR file, or the laboratory's message, says of a report beside its findings; stored with what was taken over, and told in its file again. */
export interface Origin {
  readonly identifier: { readonly system: string; readonly value: string };
  /** The system that the patient’s number is of. */
  readonly source: string | null;
  readonly status: string;
  readonly effective_at: string;
  readonly issued_at: string;
  readonly performers: readonly NamedElsewhere[];
  readonly requester: NamedElsewhere | null;
  readonly authored_on: string | null;
  /** The text that was signed there (an Attachment), of which the identifier is the hash. */
  readonly presented: object | null;
  /** Who signed it there, whom it called and how that went: resources by their own ids, leading to each other and to `ids`. */
  readonly kept: readonly { readonly resourceType: string; readonly id: string }[];
  /** Of the report, its request and its patient in the file. */
  readonly ids: { readonly report: string; readonly request: string | null; readonly patient: string };
  /** Its Observations, each with a field that says it. */
  readonly observations: readonly (readonly [id: string, field: string])[];
  /** Of what came by the laboratory's feed: how sure it is. */
  readonly laboratory?: LaboratoryStatus;
}
