import { useEffect, useEffectEvent, useState } from 'react';
import * as z from 'zod/mini';
import { useDevice } from '#/shared/contexts/device-context.ts';

interface Kept<Value> {
  readonly value: Value | null;
  /** The device has answered. */
  readonly isRead: boolean;
  /** Null forgets it. */
  set(next: Value | null): void;
}

/** What is written and not signed, on the device with every key: a reload or a killed tab loses nothing. It goes with the chat's copy. */
export function useKept<Value>(name: string, chatId: string, shape: z.ZodMiniType<Value>): Kept<Value> {
  const { store } = useDevice();
  const [state, setState] = useState<{ value: Value | null; isRead: boolean }>({ value: null, isRead: false });
  const restore = useEffectEvent((kept: unknown) => {
    const read = z.safeParse(shape, kept);
    // What is written before the device answers is newer.
    setState(({ value }) => ({ value: value ?? (read.success ? read.data : null), isRead: true }));
  });
  useEffect(() => {
    let isHere = true;
    store.meta(name).then(
      (kept) => isHere && restore(kept),
      () => isHere && restore(undefined),
    );
    return () => {
      isHere = false;
    };
  }, [store, name]);
  return {
    ...state,
    set(value) {
      setState({ value, isRead: true });
      const change =
        value === null
          ? ({ type: 'remove-meta', name } as const)
          : ({ type: 'put-meta', name, value, chatId, isCache: false } as const);
      // A notice over the page says when this device keeps nothing.
      void store.write([change]).catch(() => undefined);
    },
  };
}
