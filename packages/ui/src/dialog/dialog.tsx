import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { useDialogHost } from '#/dialog/dialog-host.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** The head is only said, not shown, and has no cross: for a dialog that begins with a search box. */
  isTitleHidden?: boolean | undefined;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the one that acts last. */
  footer?: ReactNode;
  /**
   * md 440 px (default), lg 640 px; on the phone both are a sheet from below. 'palette' hangs from the top, without padding;
   * 'full' takes the whole screen: head, what is looked at, tools.
   */
  size?: 'md' | 'lg' | 'palette' | 'full' | undefined;
  /** A cross at the upper right with this label; for a dialog without 'Cancel'. */
  closeLabel?: string | undefined;
  /** False keeps it open when somebody presses beside it. */
  closesOutside?: boolean | undefined;
  /** False keeps it open at Escape too: for what is shown this once. It has a button that closes it. */
  closesOnEscape?: boolean | undefined;
  /** What gets the focus on opening; by default the first thing that can have it. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** `open` became false and the dialog is gone, its leave animation included. */
  onAfterLeave?: (() => void) | undefined;
};

/** A question or a form over the page. Focus is kept inside and goes back to where it was. */
export function Dialog({ open, onOpenChange, onAfterLeave, ...panel }: DialogProps) {
  useDialogHost(open, () => onOpenChange(false));
  const latest = useRef({ open, onAfterLeave });
  useLayoutEffect(() => {
    latest.current = { open, onAfterLeave };
  });
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Layer
          {...panel}
          isOpen={open}
          onGone={() => {
            if (!latest.current.open) latest.current.onAfterLeave?.();
          }}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type LayerProps = Omit<DialogProps, 'open' | 'onOpenChange' | 'onAfterLeave'> & {
  isOpen: boolean;
  onGone: () => void;
  ref?: RefObject<HTMLDivElement | null>;
};

/**
 * What the focus goes back to, the first that is still there: what had it, or of an item of a menu, which is gone by then, the menu's
 * button; then what is around that and takes the focus.
 */
function waysBackTo(focused: Element | null): HTMLElement[] {
  const menu = focused?.closest('[role="menu"]');
  const ways: HTMLElement[] = [];
  let way = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
  while (way) {
    if (way instanceof HTMLElement) ways.push(way);
    way = way.parentElement?.closest('[tabindex], button, a[href]') ?? null;
  }
  return ways;
}

// The primitive's own overlay locks scrolling with a style element, which the content policy refuses; the scrim is
// ours and the style sheet locks the page.
function Layer(props: LayerProps) {
  const {
    isOpen,
    onGone,
    title,
    isTitleHidden = false,
    description,
    children,
    footer,
    size = 'md',
    closeLabel,
    closesOutside = true,
    closesOnEscape = true,
    initialFocus,
    ref,
  } = props;
  const gone = useRef(onGone);
  // The layer stays mounted while it fades, so its end is the end of the leaving.
  useEffect(() => () => gone.current(), []);
  // The primitive gives focus back to its own trigger only; a dialog opened from code has none.
  const [waysBack] = useState(() => waysBackTo(document.activeElement));
  return (
    <div className="dialog-layer" data-state={isOpen ? 'open' : 'closed'} ref={ref}>
      <Primitive.Content
        className={classNames('dialog float', size !== 'md' && `dialog-${size}`)}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        onOpenAutoFocus={(event) => {
          if (!initialFocus?.current) return;
          event.preventDefault();
          initialFocus.current.focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // In a task of its own: whoever is elsewhere by then, as in a menu that was opened since, stays there.
          const opener = waysBack.find(({ isConnected }) => isConnected);
          const isElsewhere = document.activeElement?.contains(opener ?? null) === false;
          if (!isElsewhere) opener?.focus();
        }}
        onEscapeKeyDown={(event) => {
          if (!closesOnEscape) event.preventDefault();
        }}
        onPointerDownOutside={(event) => {
          if (!closesOutside) event.preventDefault();
        }}
      >
        <span className="grab" aria-hidden="true" />
        <div className={isTitleHidden ? 'sr' : 'dialog-head'}>
          <Primitive.Title>{title}</Primitive.Title>
          {description !== undefined && <Primitive.Description>{description}</Primitive.Description>}
          {closeLabel !== undefined && !isTitleHidden && (
            <Primitive.Close asChild>
              <Button variant="ghost" color="neutral" iconOnly icon={X} label={closeLabel} />
            </Primitive.Close>
          )}
        </div>
        {children}
        {footer !== undefined && <div className="dialog-foot">{footer}</div>}
      </Primitive.Content>
    </div>
  );
}
