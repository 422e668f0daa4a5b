import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Period } from '#/features/census/core/period/period.ts';

/** What a sheet carries besides its figures. */
export interface SheetContext {
  readonly facility: Facility;
  readonly period: Period;
  /** Who prints. */
  readonly by: string;
  readonly at: Date;
}
