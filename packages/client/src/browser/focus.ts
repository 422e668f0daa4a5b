import { createSource, type Observable } from '#/observable.ts';

/** Whether a person looks at this tab: visible and focused. */
export function watchFocus(target: Window = window): Observable<boolean> {
  const page = target.document;
  const look = (): boolean => page.visibilityState === 'visible' && page.hasFocus();
  const focus = createSource(look());
  const update = (): void => focus.set(look());
  for (const name of ['focus', 'blur', 'pageshow'] as const) target.addEventListener(name, update);
  page.addEventListener('visibilitychange', update);
  return focus;
}
