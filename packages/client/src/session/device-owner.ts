import { checkPrefix, STORAGE_PREFIX } from '#/storage-prefix.ts';

/** Who used this device last, in the clear and outside the databases: it must be known before any of them can be opened. */
export interface DeviceOwner {
  get(): string | null;
  set(userId: string | null): void;
  /** A sign-out that the server has not heard of yet. */
  isSignOutOwed(): boolean;
  oweSignOut(isOwed: boolean): void;
  /** When this device last learnt that nobody is signed in; null where it has not, or somebody has signed in since. */
  signedOutAtMs(): number | null;
}

/** Kept in local storage, under names that begin with `prefix`; where that is refused, in this tab. */
export function createDeviceOwner(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null = safeStorage(),
  prefix: string = STORAGE_PREFIX,
): DeviceOwner {
  const ownerKey = `${checkPrefix(prefix)}-device-owner`;
  const owedKey = `${prefix}-sign-out-owed`;
  const signedOutKey = `${prefix}-signed-out-at`;
  const memory = new Map<string, string>();
  const read = (key: string): string | null => storage?.getItem(key) ?? memory.get(key) ?? null;
  const write = (key: string, value: string | null): void => {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    try {
      if (value === null) storage?.removeItem(key);
      else storage?.setItem(key, value);
    } catch {
      // No room or not allowed: the tab's own memory serves.
    }
  };
  return {
    get: () => read(ownerKey),
    set(userId) {
      write(ownerKey, userId);
      write(signedOutKey, userId === null ? String(Date.now()) : null);
    },
    isSignOutOwed: () => read(owedKey) !== null,
    oweSignOut: (isOwed) => write(owedKey, isOwed ? '1' : null),
    signedOutAtMs() {
      const at = read(signedOutKey);
      return at === null ? null : Number(at);
    },
  };
}

function safeStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
