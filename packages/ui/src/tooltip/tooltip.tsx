import { Portal, Slot } from 'radix-ui';
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Kbd } from '#/mark/kbd.tsx';
import { placeTip, type Side } from '#/tooltip/place-tip.ts';
import { createTipGroup } from '#/tooltip/tip-group.ts';
import { useTip, useTipDismissal } from '#/tooltip/use-tip.ts';

const TipGroupContext = createContext(createTipGroup());

/** Stands around the tooltips that know of each other: one is open at a time, the next one opens without the wait. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [group] = useState(createTipGroup);
  return <TipGroupContext value={group}>{children}</TipGroupContext>;
}

export type TooltipProps = {
  content: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[] | undefined;
  side?: Side | undefined;
  /** The control it explains: one element that takes focus. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
};

/** A word more about a control: after a rest of the pointer, at once on keyboard focus, gone with Escape. */
export function Tooltip({ content, keys, side = 'top', children }: TooltipProps) {
  const control = useRef<HTMLElement>(null);
  const id = useId();
  const { isOpen, machine } = useTip(use(TipGroupContext));
  useTipDismissal(isOpen, control, machine.close);
  const describedBy = [children.props['aria-describedby'], id].filter(Boolean).join(' ');
  return (
    <>
      <Slot.Root ref={control} {...machine.control}>
        {isOpen ? cloneElement(children, { 'aria-describedby': describedBy }) : children}
      </Slot.Root>
      {isOpen && (
        <Portal.Root>
          <Tip id={id} control={control} side={side} {...machine.tip}>
            {content}
            {keys && <Kbd keys={keys} />}
          </Tip>
        </Portal.Root>
      )}
    </>
  );
}

type TipProps = ComponentProps<'div'> & { control: RefObject<HTMLElement | null>; side: Side };

function Tip({ control, side, ...rest }: TipProps) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!control.current || !tip.current) return;
    const view = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
    // Its own size: a rectangle would be that of the growing animation's first frame.
    const size = { width: tip.current.offsetWidth, height: tip.current.offsetHeight };
    const { x, y } = placeTip(control.current.getBoundingClientRect(), size, view, side);
    tip.current.style.translate = `${x}px ${y}px`;
  });
  return <div {...rest} ref={tip} role="tooltip" className="tip" />;
}
