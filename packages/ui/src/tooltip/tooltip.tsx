import {
  type ComponentProps,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  use,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
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

type ControlProps = ComponentProps<'button'>;

export type TooltipProps = {
  content: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[] | undefined;
  side?: Side | undefined;
  /** The control it explains: one element that takes focus. */
  children: ReactElement<ControlProps>;
};

/** A word more about a control: after a rest of the pointer, at once on keyboard focus, gone with Escape. */
export function Tooltip({ content, keys, side = 'top', children }: TooltipProps) {
  const control = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { isOpen, machine } = useTip(use(TipGroupContext));
  useTipDismissal(isOpen, control, machine.close);
  const { 'aria-describedby': described, ref: own } = children.props;
  const ref = useBothRefs(control, own);
  const explained = { ref, ...(isOpen ? { 'aria-describedby': [described, id].filter(Boolean).join(' ') } : {}) };
  return (
    <>
      {cloneElement(children, { ...afterOwn(children.props, machine.control), ...explained })}
      {isOpen &&
        createPortal(
          <Tip id={id} control={control} side={side} {...machine.tip}>
            {content}
            {keys && <Kbd keys={keys} />}
          </Tip>,
          document.body,
        )}
    </>
  );
}

type Handlers = ReturnType<typeof useTip>['machine']['control'];

/** The handlers, each called after the control's own for the same event. */
function afterOwn(props: ControlProps, handlers: Handlers): Handlers {
  const both = Object.entries(handlers).map(([name, handle]) => {
    const own = props[name as keyof Handlers] as ((event: never) => void) | undefined;
    return [name, (event: never) => [own?.(event), (handle as (event: never) => void)(event)]];
  });
  return Object.fromEntries(both);
}

/** A ref that the control's own hears of too. */
function useBothRefs<Element>(ours: RefObject<Element | null>, own: Ref<Element> | undefined): Ref<Element> {
  return useCallback(
    (element: Element | null) => {
      ours.current = element;
      if (typeof own === 'function') own(element);
      else if (own) own.current = element;
    },
    [ours, own],
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
