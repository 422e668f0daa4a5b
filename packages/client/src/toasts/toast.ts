export const TOAST_TYPES = ['foreground', 'background'] as const;
/** How it is announced: what a person's own act led to is 'foreground' (assertive), all else 'background' (polite). */
export type ToastType = (typeof TOAST_TYPES)[number];

export type ToastColour = 'primary' | 'secondary' | 'success' | 'info' | 'warning' | 'error' | 'neutral';

/** A button of a toast; pressing it closes the toast too. */
export interface ToastAction {
  readonly label: string;
  /** How to do the same elsewhere, for who hears the toast and cannot reach the button in time. */
  readonly altText: string;
  readonly onClick?: () => void;
}

/** Something said in passing. `Icon` is whatever the drawing side calls an icon. */
export interface Toast<Icon = string> {
  readonly id: string;
  /** False while it leaves. */
  readonly open: boolean;
  readonly type: ToastType;
  readonly title: string;
  readonly description: string | undefined;
  readonly icon: Icon | undefined;
  /** Takes the icon's place. */
  readonly avatar: { readonly src?: string | undefined; readonly alt: string } | undefined;
  readonly colour: ToastColour;
  readonly actions: readonly ToastAction[];
  /** The name of the close button; false for a toast without one. */
  readonly close: string | false;
  /** How long it stays, in milliseconds; 0, less or Infinity: until it is closed. */
  readonly duration: number;
  /** Whether the actions stand under the text or beside it. */
  readonly orientation: 'vertical' | 'horizontal';
}

/** What a caller says; everything but the title has a default. */
export type ToastInput<Icon = string> = Pick<Toast<Icon>, 'title'> & Partial<Omit<Toast<Icon>, 'id' | 'open'>>;

/** Fills in the defaults. Throws for a type that does not exist and for an action without alt text. */
export function makeToast<Icon>(id: string, duration: number, input: ToastInput<Icon>): Toast<Icon> {
  const toast: Toast<Icon> = {
    id,
    open: true,
    type: input.type ?? 'foreground',
    title: input.title,
    description: input.description,
    icon: input.icon,
    avatar: input.avatar,
    colour: input.colour ?? 'primary',
    actions: input.actions ?? [],
    close: input.close ?? 'Close',
    duration: input.duration ?? duration,
    orientation: input.orientation ?? 'vertical',
  };
  checkToast(toast);
  return toast;
}

/** Throws where a toast is not what it must be: a mistake of whoever wrote the call, not of the person. */
export function checkToast(toast: Pick<Toast, 'type' | 'actions'>): void {
  if (!TOAST_TYPES.includes(toast.type)) {
    throw new Error('Invalid prop `type` supplied to `Toast`. Expected `foreground | background`.');
  }
  if (toast.actions.some((action) => isBlank(action.altText))) {
    throw new Error('Missing prop `altText` expected on `ToastAction`');
  }
}

/** True for a text that says nothing; also for no text at all, which only untyped code can hand over. */
export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}
