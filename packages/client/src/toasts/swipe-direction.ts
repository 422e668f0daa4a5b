export type ToastPosition = 'top-left' | 'top-center' | 'top-right' | 'bottom-left' | 'bottom-center' | 'bottom-right';

/** Which way a toast is swiped away: towards the edge it stands at; right where no position is given. */
export function swipeDirectionOf(position?: ToastPosition): 'up' | 'down' | 'left' | 'right' {
  if (position === 'top-center') return 'up';
  if (position === 'bottom-center') return 'down';
  return position?.endsWith('-left') ? 'left' : 'right';
}
