import type { Observable } from '#/observable.ts';

/** Calls `work` each time the fact turns from false to true; answers the undo. */
export function whenTrue(fact: Observable<boolean>, work: () => void): () => void {
  let before = fact.get();
  return fact.subscribe(() => {
    const now = fact.get();
    if (now && !before) work();
    before = now;
  });
}
