import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { isForNews2, news2, observationsOf } from '@wardline/examination/news2.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Badge } from '@wardline/ui/mark/badge.tsx';

/** What a saturation is by the NEWS2 scale that is in force. */
export interface Spo2ByScale {
  readonly scale: 1 | 2;
  /** What is aimed at, as a range is written. */
  readonly target: string;
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
  const { spo2Scale: scale } = seen;
  return { scale, target: scale === 2 ? '88–92' : '≥ 96', points: news2(seen).parts.spo2 };
}

/** Where a flag stands: how many points it has in NEWS2. */
export function Spo2Flag({ of: { scale, points } }: { readonly of: Spo2ByScale }) {
  if (!points) return null;
  const said = `${points} ${points === 1 ? 'point' : 'points'} in NEWS2 by scale ${scale}`;
  return (
    <Badge tone={points === 3 ? 'solid-error' : 'neutral'}>
      <span aria-hidden="true" title={said}>
        NEWS2 {points}
      </span>
      <span className="sr">{said}</span>
    </Badge>
  );
}
