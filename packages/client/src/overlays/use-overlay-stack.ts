import type { ComponentType } from 'react';
import { useObservable } from '#/use-observable.ts';
import type { OverlayId } from './overlay.ts';
import type { Overlays } from './overlays.ts';

/** An overlay as React draws it: `<Component key={id} {...props} />`. */
export interface StackedOverlay {
  readonly id: OverlayId;
  readonly Component: ComponentType<object>;
  readonly props: object;
}

/** Every overlay that is to be drawn, the lowest first. One place of a page draws them all. */
export function useOverlayStack(overlays: Overlays): readonly StackedOverlay[] {
  return useObservable(overlays).map(({ id, component, props, overlay }) => ({
    id,
    // `create` has seen to it that component and props belong together.
    Component: component as ComponentType<object>,
    props: { ...props, overlay },
  }));
}
