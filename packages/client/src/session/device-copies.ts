import { getDeviceKey, User } from '@wardline/contract/account/auth.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import * as z from 'zod/mini';
import { statusOf } from '#/http/api-error.ts';
import type { Call } from '#/http/call.ts';
import type { Log } from '#/log.ts';
import type { DeviceStore, EndOptions } from '#/store/device-store.ts';
import type { DeviceOwner } from './device-owner.ts';

export interface DeviceCopiesDeps {
  readonly config: Pick<ClientConfig, 'endpoints'>;
  readonly call: Call;
  readonly log: Log;
  readonly owner: DeviceOwner;
  readonly prefix?: string | undefined;
}

/** The copies that people have on this device, as the session opens and ends them. */
export interface DeviceCopies {
  /** For a person the server has just confirmed; ends everybody else's copy. */
  open(user: User, isOwnDevice: boolean | undefined): Promise<DeviceStore>;
  /** Without the server: the person last confirmed here, where their copy may still be used. */
  openKept(): Promise<{ readonly user: User; readonly store: DeviceStore } | null>;
  /** The server confirmed the person of an open copy again: it lives on, with the identity as it is now. */
  confirm(store: DeviceStore, user: User): Promise<void>;
  /** No cache and no key stay; unsent work and what was typed stay as ciphertext unless told otherwise. */
  end(store: DeviceStore | null, options?: EndOptions): Promise<void>;
}

const IDENTITY = 'identity';

/** Who only looks at the sign-in page needs no database: its code comes when there is something to keep or to end. */
async function stores() {
  const [opening, ending] = await Promise.all([
    import('#/store/open-device-store.ts'),
    import('#/store/end-device-copy.ts'),
  ]);
  return { ...opening, ...ending };
}

export function createDeviceCopies({ config, call, log, owner, prefix }: DeviceCopiesDeps): DeviceCopies {
  // Somebody was signed in here: the code comes while the server is asked whether they still are.
  if (owner.get() !== null) void stores().catch(() => undefined);
  const fetchKey = async (): Promise<string | null> => {
    if (config.endpoints.device_key === '') return null;
    try {
      return (await call(getDeviceKey)).key;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  };
  const confirm = async (store: DeviceStore, user: User): Promise<void> => {
    try {
      await store.confirm();
      await store.write([{ type: 'put-meta', name: IDENTITY, value: user, isCache: true }]);
    } catch (error) {
      log.warn('The identity could not be kept on this device', error);
    }
  };
  return {
    confirm,
    async open(user, isOwnDevice) {
      const before = owner.get();
      const { endOtherCopies, openDeviceStore } = await stores();
      if (globalThis.indexedDB !== undefined) {
        await endOtherCopies({ prefix, userId: user.id }, before === null ? [] : [before]).catch((error) =>
          log.error('Copies of other people on this device could not be ended', error),
        );
      }
      const store = await openDeviceStore({ prefix, userId: user.id, log, isOwnDevice, fetchKey });
      owner.set(user.id);
      await confirm(store, user);
      return store;
    },
    async openKept() {
      const userId = owner.get();
      if (userId === null) return null;
      try {
        const { openKeptDeviceStore } = await stores();
        const store = await openKeptDeviceStore({ prefix, userId, log });
        if (store === null) return null;
        const identity = z.safeParse(User, await store.meta(IDENTITY));
        if (identity.success && identity.data.id === userId) return { user: identity.data, store };
        store.close();
      } catch (error) {
        log.warn('The copy on this device could not be opened', error);
      }
      return null;
    },
    async end(store, options) {
      const userId = store?.userId ?? owner.get();
      owner.set(null);
      if (store !== null) await store.wipe(options);
      else if (userId !== null && globalThis.indexedDB !== undefined) {
        const { endDeviceCopy } = await stores();
        await endDeviceCopy({ prefix, userId }, options);
      }
    },
  };
}
