import { X } from 'lucide-react';
import { Toast as Primitive } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { Avatar } from '#/avatar/avatar.tsx';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';
import { swipeDirection, type ToastPosition, type ToastView } from '#/toast/toast-view.ts';
import { useAttention, useFocusBack } from '#/toast/use-attention.ts';

const STILL = '(prefers-reduced-motion: reduce)';

/** The line at a toast's foot that runs down with its time. With reduced motion it stands still. */
function TimeBar({ toast }: { toast: ToastView }) {
  const line = useRef<HTMLSpanElement>(null);
  const { duration, remainingMs, isPaused } = toast;
  useEffect(() => {
    const draw = () => {
      const left = Math.min(1, Math.max(0, (remainingMs() ?? duration) / duration));
      if (line.current) line.current.style.transform = `scaleX(${left})`;
    };
    if (globalThis.matchMedia?.(STILL).matches) return;
    draw();
    if (isPaused) return;
    let frame = requestAnimationFrame(function run() {
      draw();
      frame = requestAnimationFrame(run);
    });
    return () => cancelAnimationFrame(frame);
  }, [duration, remainingMs, isPaused]);
  return (
    <span className="toast-time" aria-hidden="true">
      <span ref={line} />
    </span>
  );
}

const SWIPE_THRESHOLD_PX = 50;

export type ToasterProps = {
  /** Oldest first; the newest stands at the edge of the screen. */
  toasts: readonly ToastView[];
  position?: ToastPosition | undefined;
  /** Said before a toast's own words when it is announced. */
  label?: string | undefined;
  /** Somebody closed it: by the cross, an action, a swipe or Escape. */
  onClose: (id: string) => void;
  /** Somebody turned to the toasts or away from the window: their clocks stop. */
  onPause: () => void;
  onResume: () => void;
};

/** The toasts over the page. F8 leads the keyboard to them. Throws for a blank label or an unknown type. */
export function Toaster(props: ToasterProps) {
  const { toasts, position = 'bottom-right', label = 'Notification', onClose, onPause, onResume } = props;
  if (label.trim() === '') {
    throw new Error('Invalid prop `label` supplied to `ToastProvider`. Expected non-empty `string`.');
  }
  const list = useRef<HTMLOListElement>(null);
  const hasToasts = toasts.length > 0;
  useAttention(list, hasToasts, { onPause, onResume });
  useFocusBack(list, hasToasts);
  // The time is kept by whoever owns the toasts, so none runs here.
  return (
    <Primitive.Provider
      label={label}
      duration={Number.POSITIVE_INFINITY}
      swipeDirection={swipeDirection(position)}
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {toasts.map((toast) => (
        <ToastCard toast={toast} key={toast.id} onClose={() => onClose(toast.id)} />
      ))}
      <Primitive.Viewport ref={list} className={`toasts toasts-${position}`} label="Notifications ({hotkey})" />
    </Primitive.Provider>
  );
}

function ToastCard({ toast, onClose }: { toast: ToastView; onClose: () => void }) {
  const { type = 'foreground', color = 'primary', orientation = 'vertical', actions = [], close = 'Close' } = toast;
  if (type !== 'foreground' && type !== 'background') {
    throw new Error('Invalid prop `type` supplied to `Toast`. Expected `foreground | background`.');
  }
  const runsDown = toast.open && toast.duration > 0 && Number.isFinite(toast.duration) && toast.remainingMs() !== null;
  const buttons = actions.map(({ altText, label, onClick, color: actionColor = color, variant = 'outline' }) => (
    <Primitive.Action altText={altText || label} asChild key={label}>
      <Button size="xs" color={actionColor} variant={variant} onClick={() => onClick?.()}>
        {label}
      </Button>
    </Primitive.Action>
  ));
  return (
    <Primitive.Root
      className={classNames('toast float', `toast-${color}`, orientation === 'horizontal' && 'is-horizontal')}
      type={type}
      open={toast.open}
      onOpenChange={(open) => !open && onClose()}
    >
      {toast.avatar ? <Avatar {...toast.avatar} size={48} /> : toast.icon && <Icon of={toast.icon} size="lg" />}
      <div className="toast-body">
        {toast.title !== undefined && <Primitive.Title className="toast-title">{toast.title}</Primitive.Title>}
        {toast.description !== undefined && (
          <Primitive.Description className="toast-text">{toast.description}</Primitive.Description>
        )}
        {orientation === 'vertical' && buttons.length > 0 && <div className="toast-acts">{buttons}</div>}
      </div>
      {orientation === 'horizontal' && buttons.length > 0 && <div className="toast-acts">{buttons}</div>}
      {close !== false && (
        <Primitive.Close asChild>
          <Button className="toast-close" size="sm" variant="ghost" color="neutral" iconOnly icon={X} label={close} />
        </Primitive.Close>
      )}
      {runsDown && <TimeBar toast={toast} />}
    </Primitive.Root>
  );
}
