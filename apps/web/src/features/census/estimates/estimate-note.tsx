import './estimates.css';
import type { Estimate } from '@wardline/contract/census/census.ts';
import { formatEstimate } from '#/features/census/core/estimate-labels.ts';

/** What stands for a report that is missing: hatched, since no figure counts it. */
export function EstimateNote({ estimate: { by, ...estimate } }: { estimate: Estimate }) {
  return (
    <span className="estimate">
      <i className="hatch estimate-hatch" aria-hidden="true" />
      <span className="num">{formatEstimate({ ...estimate, by: by.name })}</span>
    </span>
  );
}
