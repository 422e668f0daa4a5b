import { useEffect, useState } from 'react';
import { classNames } from '#/class-names.ts';
import type { ProgressState } from '#/progress/progress-value.ts';

const LONG_MS = 1000;

export type LoadingBarProps = {
  /** 0 to 100. */
  progress: number;
  isVisible: boolean;
  hasError: boolean;
  state: ProgressState;
  /** Said once when the page takes longer than a second. */
  label?: string | undefined;
};

/** The thin line along the top of the window while a page is on its way. It is drawn for the eye; a long wait is also said. */
export function LoadingBar({ progress, isVisible, hasError, state, label = 'Loading' }: LoadingBarProps) {
  const isLong = useIsLong(isVisible);
  return (
    <>
      <div
        className={classNames('loading-bar', isVisible && 'is-visible', hasError && 'is-error')}
        data-state={state}
        aria-hidden="true"
        style={{ transform: `scaleX(${Math.min(100, Math.max(0, progress)) / 100})` }}
      />
      <span className="sr" role="status">
        {isLong ? label : ''}
      </span>
    </>
  );
}

function useIsLong(isVisible: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isVisible) return;
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isVisible]);
  return isLong;
}
