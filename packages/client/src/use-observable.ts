import { useSyncExternalStore } from 'react';
import type { Observable } from './observable.ts';

/** The value of an observable, drawn anew after each change; the same on the server and while hydrating. */
export function useObservable<Value>(observable: Observable<Value>): Value {
  return useSyncExternalStore(observable.subscribe, observable.get, observable.get);
}
