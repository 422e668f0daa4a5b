import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { Toast, ToastInput } from '@wardline/client/toasts/toast.ts';
import type { Toasts } from '@wardline/client/toasts/toasts.ts';
import type { LucideIcon } from 'lucide-react';

const place = createSource<Toasts<LucideIcon> | null>(null);
let loading: Promise<Toasts<LucideIcon>> | null = null;

/** The toasts of this page; null before the first one, whose code comes with it. */
export const pageToasts: Observable<Toasts<LucideIcon> | null> = place;

/** Says something in passing (TOAST-1). What a person has to act on belongs where they acted. */
export async function showToast(toast: ToastInput<LucideIcon>): Promise<Toast<LucideIcon>> {
  loading ??= import('@wardline/client/toasts/toasts.ts').then(({ createToasts }) => createToasts<LucideIcon>());
  const toasts = await loading;
  place.set(toasts);
  return toasts.add(toast);
}
