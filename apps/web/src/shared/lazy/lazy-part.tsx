import type { OverlayProps } from '@wardline/client/overlays/overlay.ts';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { sayPartMissing } from './show-load-error.ts';

interface LazyPartWays<Props> {
  /** What stands in the place of the part until its code is there. */
  readonly whileLoading?: (props: Props) => ReactNode;
  /** What stands there when its code is gone for good. */
  readonly whenMissing?: (props: Props) => ReactNode;
  /** For a part that somebody asked to see: it is said that it did not load, and this makes as if it were closed. */
  readonly onMissing?: (props: Props) => void;
}

/**
 * A part of a page whose code comes when it is first shown. Where the code is gone, most often because another build was
 * deployed, only the part is missing: the page around it lives, and a full load is offered.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<(props: Props) => ReactNode>,
  { whileLoading, whenMissing, onMissing }: LazyPartWays<Props> = {},
): (props: Props) => ReactNode {
  const Part: ComponentType<Props> = lazy(() => load().then(asModule, () => asModule<typeof Missing>(Missing)));

  function Missing(props: Props) {
    const say = useEffectEvent(() => {
      if (!onMissing) return;
      sayPartMissing();
      onMissing(props);
    });
    useEffect(() => say(), []);
    return whenMissing?.(props);
  }

  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={whileLoading?.(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function asModule<Part>(part: Part): { default: Part } {
  return { default: part };
}

/** For `onMissing` of a dialog that its page shows. */
export function closeMissing({ onClose }: { readonly onClose: () => void }): void {
  onClose();
}

/** For `onMissing` of an overlay: whoever opened it is told that it was dismissed. */
export function dismissMissing({ overlay }: OverlayProps): void {
  overlay.dismiss();
  overlay.afterLeave();
}
