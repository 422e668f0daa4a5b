import { type PointerEvent, type RefObject, useEffect, useState } from 'react';
import type { TipGroup } from '#/tooltip/tip-group.ts';

const OPEN_DELAY_MS = 700;
/** How long the pointer may be on its way between the control and its tip. */
const WAY_MS = 300;

type Timer = ReturnType<typeof setTimeout>;

/** When a tip opens and closes: the handlers for the control, those for the tip, and whether it is open. */
export function useTip(group: TipGroup) {
  const [isOpen, setIsOpen] = useState(false);
  const [machine] = useState(() => createMachine(group, setIsOpen));
  useEffect(() => machine.stop, [machine]);
  return { isOpen, machine };
}

/** Closes an open tip with Escape, with a press elsewhere, and when what the control stands in scrolls. */
export function useTipDismissal(isOpen: boolean, control: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // The first Escape is the tip's: a dialog under it stays.
      event.preventDefault();
      close();
    };
    const onPointerDown = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('.tip')) close();
    };
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(control.current)) close();
    };
    window.addEventListener('keydown', onKeyDown, options);
    window.addEventListener('pointerdown', onPointerDown, options);
    window.addEventListener('scroll', onScroll, options);
    return () => listeners.abort();
  }, [isOpen, control, close]);
}

function createMachine(group: TipGroup, setIsOpen: (isOpen: boolean) => void) {
  let isOpen = false;
  let isOver = false;
  let isPressed = false;
  let opening: Timer | undefined;
  let leaving: Timer | undefined;

  const calm = () => {
    clearTimeout(opening);
    clearTimeout(leaving);
  };
  const open = () => {
    calm();
    if (isOpen) return;
    isOpen = true;
    group.opens(close);
    setIsOpen(true);
  };
  const close = () => {
    calm();
    if (!isOpen) return;
    isOpen = false;
    group.closes(close);
    setIsOpen(false);
  };
  const leave = () => {
    calm();
    if (isOpen) leaving = setTimeout(close, WAY_MS);
  };
  const release = () => {
    isPressed = false;
  };

  return {
    close,
    stop: () => {
      close();
      document.removeEventListener('pointerup', release);
    },
    control: {
      onPointerMove: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'touch' || isOver) return;
        isOver = true;
        if (isOpen) clearTimeout(leaving);
        else if (group.isWarm()) open();
        else opening = setTimeout(open, OPEN_DELAY_MS);
      },
      onPointerLeave: () => {
        isOver = false;
        leave();
      },
      onPointerDown: () => {
        isPressed = true;
        document.addEventListener('pointerup', release, { once: true });
        close();
      },
      onFocus: () => {
        if (!isPressed) open();
      },
      onBlur: close,
      onClick: close,
    },
    tip: { onPointerEnter: () => clearTimeout(leaving), onPointerLeave: leave },
  };
}
