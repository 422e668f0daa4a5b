import { formatRoundedDifference } from '@wardline/format/numbers.ts';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { TriangleAlert } from 'lucide-react';

interface VarianceNoteProps {
  /** By how many the head count differs from who should be there. */
  readonly variance: number | null | undefined;
  readonly reason: string | null | undefined;
  /** By how many it differed when the reason was given. */
  readonly reasonFor?: number | null | undefined;
  readonly by?: string | undefined;
}

/** By how many a head count differs; nothing where it agrees or is not known. */
export function VarianceBadge({ variance }: Pick<VarianceNoteProps, 'variance'>) {
  if (variance == null || variance === 0) return null;
  return (
    <Badge tone="warning" icon={TriangleAlert}>
      Head count {formatRoundedDifference(variance, 0)}
    </Badge>
  );
}

/** That a head count differs, by how many, and what was said of it; nothing where it agrees or is not known. */
export function VarianceNote({ variance, reason, reasonFor, by }: VarianceNoteProps) {
  if (variance == null || variance === 0) return null;
  const isOfOther = reason != null && reasonFor != null && reasonFor !== variance;
  return (
    <span className="row row-1 wrap">
      <VarianceBadge variance={variance} />
      <span className="t12">
        {reason ?? 'No reason given'}
        {by !== undefined && reason != null && ` (${by})`}
        {isOfOther && `, said of a difference of ${formatRoundedDifference(reasonFor, 0)}`}
      </span>
    </span>
  );
}
