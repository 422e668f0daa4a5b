import type { DeviceStore } from '#/store/device-store.ts';
import { createDeviceCopies, type DeviceCopiesDeps } from './device-copies.ts';
import type { SessionDispatch, SessionEffect } from './session-events.ts';

type EffectOf<Type> = Extract<SessionEffect<DeviceStore>, { readonly type: Type }>;
/** What the session asks for about the copies on the device. */
export type CopyEffect = EffectOf<'open-copy' | 'confirm-copy' | 'open-kept-copy' | 'end-copy'>;

/** Does what the session asks for about the copies on the device; what comes of it goes back as an event. */
export function createCopyEffects(
  deps: DeviceCopiesDeps,
  dispatch: SessionDispatch<DeviceStore>,
  failed: (requestId: number) => (error: unknown) => void,
): (effect: CopyEffect) => void {
  const copies = createDeviceCopies(deps);
  const open = async ({ user, isOwnDevice, before }: EffectOf<'open-copy'>) => {
    if (before !== null && before.userId !== user.id) await before.wipe();
    else before?.close();
    return await copies.open(user, isOwnDevice);
  };
  return (effect) => {
    const { requestId } = effect;
    switch (effect.type) {
      case 'open-copy':
        open(effect).then((copy) => dispatch({ type: 'copy-opened', requestId, copy }), failed(requestId));
        return;
      case 'confirm-copy':
        copies
          .confirm(effect.copy, effect.user)
          .then(() => dispatch({ type: 'copy-confirmed', requestId }), failed(requestId));
        return;
      case 'open-kept-copy':
        copies.openKept().then((found) => {
          const kept = found === null ? null : { user: found.user, copy: found.store };
          dispatch({ type: 'kept-copy-opened', requestId, kept });
        }, failed(requestId));
        return;
      case 'end-copy':
        copies
          .end(effect.copy, { discardUnsent: effect.discardUnsent, discardTyped: effect.discardTyped })
          .catch((error: unknown) => deps.log.error('The copy on this device could not be ended', error))
          .finally(() => dispatch({ type: 'copy-ended', requestId }));
    }
  };
}
