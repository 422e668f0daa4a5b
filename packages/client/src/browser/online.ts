import { createSource, type Observable } from '#/observable.ts';

/** Whether the browser believes it has a network. True where the browser does not say. */
export function watchOnline(target: Window = window): Observable<boolean> {
  const online = createSource(target.navigator.onLine !== false);
  target.addEventListener('online', () => online.set(true));
  target.addEventListener('offline', () => online.set(false));
  return online;
}
