import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { Toast, ToastInput } from '@wardline/client/toasts/toast.ts';
import type { Toasts } from '@wardline/client/toasts/toasts.ts';
import { Check, type LucideIcon } from 'lucide-react';

const place = createSource<Toasts<LucideIcon> | null>(null);
let loading: Promise<Toasts<LucideIcon>> | null = null;

/** The toasts of this page; null before the first one, whose code comes with it. */
export const pageToasts: Observable<Toasts<LucideIcon> | null> = place;

/**
 * Says something in passing (TOAST-1). What a person has to act on belongs where they acted. Rejects where the code of the
 * toasts cannot be loaded; the next one tries again.
 */
export async function showToast(toast: ToastInput<LucideIcon>): Promise<Toast<LucideIcon>> {
  loading ??= import('@wardline/client/toasts/toasts.ts').then(({ createToasts }) => createToasts<LucideIcon>());
  try {
    const toasts = await loading;
    place.set(toasts);
    return toasts.add(toast);
  } catch (error) {
    if (place.get() === null) loading = null;
    throw error;
  }
}

/** Says that something is done which leaves no trace where it was asked for. */
export function sayDone(title: string): void {
  // It is done, whether that can be said or not.
  showToast({ title, colour: 'success', icon: Check }).catch(() => undefined);
}
