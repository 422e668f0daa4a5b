import * as z from 'zod/mini';

/** Normal, low, high, critically low, critically high, abnormal, critically abnormal, positive, negative, indeterminate (HL7 v3 0078). */
export const Interpretation = z.enum(['N', 'L', 'H', 'LL', 'HH', 'A', 'AA', 'POS', 'NEG', 'IND']);
export type Interpretation = z.infer<typeof Interpretation>;
