import './left-out.css';
import { formatCount } from '#/features/census/core/format-figure.ts';

interface LeftOutProps {
  readonly reported: number;
  readonly expected: number;
}

/** How many of the expected reports are in a figure; one that leaves some out carries the hatch. */
export function LeftOut({ reported, expected }: LeftOutProps) {
  return (
    <span className="row row-1 left-out num">
      {reported < expected && (
        <>
          <i className="hatch left-out-hatch" aria-hidden="true" />
          <span className="sr">Incomplete: </span>
        </>
      )}
      {formatCount(reported)} of {formatCount(expected)}
    </span>
  );
}
