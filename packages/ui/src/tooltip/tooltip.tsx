import { Tooltip as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from '#/mark/kbd.tsx';

const OPEN_DELAY_MS = 700;
const SKIP_WINDOW_MS = 300;

/** Stands around every tooltip; `AppFrame` brings it. How long a pointer rests before the first tooltip, and when the next opens at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={OPEN_DELAY_MS} skipDelayDuration={SKIP_WINDOW_MS}>
      {children}
    </Primitive.Provider>
  );
}

export type TooltipProps = {
  content: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[] | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  /** The control it explains: one element that takes focus. */
  children: ReactElement;
};

/** A word more about a control: after a rest of the pointer, at once on keyboard focus, gone with Escape. */
export function Tooltip({ content, keys, side = 'top', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="tip" side={side} sideOffset={6} collisionPadding={8}>
          {content}
          {keys && <Kbd keys={keys} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
