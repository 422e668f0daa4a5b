import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { FLAG_LABELS } from './examination-labels.ts';

/** What a value means in one or two letters, said in words; nothing where nothing is known. */
export function Flag({ of }: { readonly of: Interpretation | null }) {
  if (of === null) return null;
  const said = (
    <>
      <span aria-hidden="true" title={FLAG_LABELS[of]}>
        {of}
      </span>
      <span className="sr">{FLAG_LABELS[of]}</span>
    </>
  );
  if (of === 'N' || of === 'NEG') return <span className="t12 muted">{said}</span>;
  return <Badge tone={isCritical(of) ? 'solid-error' : 'neutral'}>{said}</Badge>;
}

export function rowClass(flag: Interpretation | null): string | undefined {
  return isCritical(flag) ? 'is-critical' : undefined;
}
