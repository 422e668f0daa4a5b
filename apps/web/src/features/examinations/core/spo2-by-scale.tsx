import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { compareDecimals, isDecimal } from '@wardline/examination/decimal.ts';
import { isForNews2, news2, observationsOf } from '@wardline/examination/news2.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Badge } from '@wardline/ui/mark/badge.tsx';

/** What a saturation is by the NEWS2 scale that is in force. */
export interface Spo2ByScale {
  readonly scale: 1 | 2;
  /** What is aimed at, as a range is written. */
  readonly target: string;
  readonly isLow: boolean;
  /** Null while that cannot be said. */
  readonly points: number | null;
}

/**
 * A saturation has no range of its own: 88 % is grave by scale 1 and the target by scale 2. Null of any other field, and where the score is
 * not for the patient.
 */
export function spo2ByScale(
  field: TemplateField,
  fields: readonly TemplateField[],
  { entries, subject }: { readonly entries: readonly Pick<Entry, 'field' | 'value'>[]; readonly subject: Subject },
): Spo2ByScale | null {
  if (field.news2 !== 'spo2' || field.ranges?.length || !isForNews2(subject)) return null;
  const seen = observationsOf(fields, entries);
  if (seen === null) return null;
  const { spo2, spo2Scale: scale } = seen;
  const [least, target] = scale === 2 ? (['88', '88–92'] as const) : (['96', '≥ 96'] as const);
  const isLow = spo2 !== null && isDecimal(spo2) && compareDecimals(spo2, least) < 0;
  return { scale, target, isLow, points: news2(seen).parts.spo2 };
}

/** Where a flag stands: under the target or over it, by how many points in NEWS2. */
export function Spo2Flag({ of }: { readonly of: Spo2ByScale }) {
  const said = formatSpo2Flag(of);
  if (said === null) return null;
  return (
    <Badge tone={of.points === 3 ? 'solid-error' : 'neutral'}>
      <span aria-hidden="true" title={said}>
        {said[0]}
      </span>
      <span className="sr">{said}</span>
    </Badge>
  );
}

/** The same in words; null where there is nothing to say. */
export function formatSpo2Flag({ scale, points, isLow }: Spo2ByScale): string | null {
  if (!points) return null;
  return `${isLow ? 'Low' : 'High'}: ${points} ${points === 1 ? 'point' : 'points'} in NEWS2 by scale ${scale}`;
}
