import { classNames } from '#/class-names.ts';

export type SkeletonProps = {
  /** 'rows' for a list of 64 px rows, 'thread' for messages, 'text' for a paragraph. */
  shape?: 'rows' | 'thread' | 'text' | undefined;
  count?: number | undefined;
  /** Said once by a screen reader. */
  label?: string | undefined;
};

/** The shape of what is being loaded. */
export function Skeleton({ shape = 'rows', count = 4, label = 'Loading' }: SkeletonProps) {
  const rows = Array.from({ length: shape === 'text' ? 1 : count }, (_, row) => `row-${row}`);
  return (
    <div role="status" aria-label={label}>
      <div className={shape === 'rows' ? 'list' : undefined} aria-hidden="true">
        {rows.map((row) => (
          <div key={row} className={classNames('skel-row', shape === 'rows' && 'lrow', shape === 'thread' && 'm')}>
            {shape !== 'text' && <span className={classNames('skel skel-round', shape === 'thread' && 'skel-32')} />}
            <span className="skel-lines">
              <span className="skel" />
              <span className="skel" />
              {shape === 'text' && <span className="skel" />}
            </span>
            {shape === 'rows' && <span className="skel skel-time" />}
          </div>
        ))}
      </div>
    </div>
  );
}
