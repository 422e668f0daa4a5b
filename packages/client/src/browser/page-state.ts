import { createSource, type Observable } from '#/observable.ts';

interface PageState {
  readonly online: Observable<boolean>;
  readonly focus: Observable<boolean>;
}

let state: PageState | null = null;

/** What this page knows of itself, watched once however many ask. */
export function pageState(): PageState {
  state ??= { online: watchOnline(), focus: watchFocus() };
  return state;
}

/** Whether a person looks at this tab: visible and focused. */
function watchFocus(target: Window = window): Observable<boolean> {
  const page = target.document;
  const look = (): boolean => page.visibilityState === 'visible' && page.hasFocus();
  const focus = createSource(look());
  const update = (): void => focus.set(look());
  for (const name of ['focus', 'blur', 'pageshow'] as const) target.addEventListener(name, update);
  page.addEventListener('visibilitychange', update);
  return focus;
}

/** Whether the browser believes it has a network. True where the browser does not say. */
function watchOnline(target: Window = window): Observable<boolean> {
  const online = createSource(target.navigator.onLine !== false);
  target.addEventListener('online', () => online.set(true));
  target.addEventListener('offline', () => online.set(false));
  return online;
}
