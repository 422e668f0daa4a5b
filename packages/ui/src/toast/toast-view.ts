import type { LucideIcon } from 'lucide-react';
import type { ButtonColor, ButtonVariant } from '#/button/button.tsx';

export type ToastAction = {
  label: string;
  /** The way to do the same elsewhere, said in place of the button when the toast is announced. */
  altText: string;
  onClick?: (() => void) | undefined;
  color?: ButtonColor | undefined;
  variant?: ButtonVariant | undefined;
};

/** A toast as the kit shows it. Its clock is the caller's: the kit asks how much is left and says when to pause. */
export type ToastView = {
  id: string;
  /** False while it leaves. */
  open: boolean;
  /** 'foreground' answers what the person just did and interrupts; 'background' waits its turn. */
  type?: 'foreground' | 'background' | undefined;
  title?: string | undefined;
  description?: string | undefined;
  icon?: LucideIcon | undefined;
  /** In place of the icon. */
  avatar?: { alt: string; src?: string | undefined } | undefined;
  color?: ButtonColor | undefined;
  actions?: readonly ToastAction[] | undefined;
  /** The name of the cross, 'Close' by default; false for none. */
  close?: string | false | undefined;
  /** In milliseconds; 0 or Infinity stays until it is closed. */
  duration: number;
  /** What is left of the duration; null where nothing runs down. */
  remainingMs: () => number | null;
  isPaused: boolean;
  /** Where the actions stand: under the words (vertical, the default) or beside them. */
  orientation?: 'vertical' | 'horizontal' | undefined;
};

export type ToastPosition = 'top-left' | 'top-center' | 'top-right' | 'bottom-left' | 'bottom-center' | 'bottom-right';

export type SwipeDirection = 'up' | 'down' | 'left' | 'right';

/** The way a toast is thrown out: towards the edge it stands at. */
export function swipeDirection(position: ToastPosition): SwipeDirection {
  if (position === 'top-center') return 'up';
  if (position === 'bottom-center') return 'down';
  return position.endsWith('left') ? 'left' : 'right';
}
