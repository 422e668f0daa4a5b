import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { lazyPart } from './lazy-part.tsx';
import { sayPartMissing } from './show-load-error.ts';

type ButtonProps = { onClick?: () => void };

interface HasTrigger {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
}

/** A menu whose code comes after its button; where that is gone, a press says so. */
export function lazyMenu<Props extends HasTrigger>(
  load: () => Promise<(props: Props) => ReactNode>,
): (props: Props) => ReactNode {
  return lazyPart(load, {
    whileLoading: ({ trigger }) => trigger,
    whenMissing: ({ trigger }) => cloneElement(trigger as ReactElement<ButtonProps>, { onClick: sayPartMissing }),
  });
}
