import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, type RefObject, useState } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the one that acts last. */
  footer?: ReactNode;
  /** md 440 px (default), lg 640 px; on the phone both are a sheet from below. */
  size?: 'md' | 'lg' | undefined;
  /** A cross at the upper right with this label; for a dialog without 'Cancel'. */
  closeLabel?: string | undefined;
  /** False keeps it open when somebody presses beside it. Escape always closes. */
  closesOutside?: boolean | undefined;
  /** What gets the focus on opening; by default the first thing that can have it. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
};

/** A question or a form over the page. Focus is kept inside and goes back to where it was. */
export function Dialog({ open, onOpenChange, ...panel }: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Layer {...panel} />
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type LayerProps = Omit<DialogProps, 'open' | 'onOpenChange'> & { ref?: RefObject<HTMLDivElement | null> };

// The primitive's own overlay locks scrolling with a style element, which the content policy refuses; the scrim is
// ours and the style sheet locks the page.
function Layer(props: LayerProps) {
  const {
    title,
    description,
    children,
    footer,
    size = 'md',
    closeLabel,
    closesOutside = true,
    initialFocus,
    ref,
  } = props;
  // The primitive gives focus back to its own trigger only; a dialog opened from code has none.
  const [opener] = useState(() => document.activeElement);
  return (
    <div className="dialog-layer" ref={ref}>
      <Primitive.Content
        className={classNames('dialog float', size === 'lg' && 'dialog-lg')}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        onOpenAutoFocus={(event) => {
          if (!initialFocus?.current) return;
          event.preventDefault();
          initialFocus.current.focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
        }}
        onPointerDownOutside={(event) => {
          if (!closesOutside) event.preventDefault();
        }}
      >
        <span className="grab" aria-hidden="true" />
        <div className="dialog-head">
          <Primitive.Title>{title}</Primitive.Title>
          {description !== undefined && <Primitive.Description>{description}</Primitive.Description>}
          {closeLabel !== undefined && (
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
