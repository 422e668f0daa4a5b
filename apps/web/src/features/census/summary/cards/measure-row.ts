/** One figure with what it was made of, and how many of the expected reports are in it. */
export interface MeasureRow {
  readonly key: string;
  readonly label: string;
  /** As a decimal, exact; null where it cannot be told. */
  readonly value: string | null;
  readonly unit: string;
  /** In words: numerator ÷ denominator. */
  readonly from: string;
  readonly reported: number;
  readonly expected: number;
  /** What is counted of, where it is not reports: 'units'. */
  readonly of?: string;
}
