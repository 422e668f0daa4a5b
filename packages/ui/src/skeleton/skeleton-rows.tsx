import { Fragment, type ReactNode } from 'react';
import { classNames } from '#/class-names.ts';

/** The shape of a list of 64 px rows: what stands for a page whose code is on its way, so it comes with the first visit. */
export function SkeletonRows({ count, label }: { count: number; label: string | null }) {
  return (
    <SkeletonFrame className="list" label={label} count={count}>
      <div className="skel-row lrow">
        <span className="skel skel-round" />
        <SkeletonLines count={2} />
        <span className="skel skel-time" />
      </div>
    </SkeletonFrame>
  );
}

interface SkeletonFrameProps {
  readonly className?: string | undefined;
  /** Said once by a screen reader; null where a neighbour says it. */
  readonly label: string | null;
  /** How often the part stands in it. */
  readonly count: number;
  readonly children: ReactNode;
}

export function SkeletonFrame({ className, label, count, children }: SkeletonFrameProps) {
  const said = label === null ? {} : { role: 'status', 'aria-label': label };
  return (
    <div {...said}>
      <div className={className} aria-hidden="true">
        {Array.from({ length: count }, (_, part) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are all alike
          <Fragment key={part}>{children}</Fragment>
        ))}
      </div>
    </div>
  );
}

export function SkeletonLines({ count, className }: { count: 2 | 3; className?: string }) {
  return (
    <span className={classNames('skel-lines', className)}>
      <span className="skel" />
      <span className="skel" />
      {count === 3 && <span className="skel" />}
    </span>
  );
}
