import { checkPrefix, STORAGE_PREFIX } from '#/storage-prefix.ts';

const PAUSE_MS = 10_000;

export interface ReloadGuardDeps {
  /** Of this tab; may throw, a browser can close its storage. */
  readonly storage?: () => Pick<Storage, 'getItem' | 'setItem'>;
  readonly now?: () => number;
  readonly location?: Pick<Location, 'href' | 'assign' | 'reload'>;
  /** What names in session storage begin with: letters and digits, `wardline` unless told. */
  readonly prefix?: string;
}

/** Loads pages anew, but not in a circle. */
export interface ReloadGuard {
  /**
   * Loads a path of this site, with query and hash, in full. False, and nothing happens, when that path was loaded so less
   * than 10 s ago, when that cannot be recorded, and for an address of another site.
   */
  reload(path: string): boolean;
}

/** Makes the guard of this tab (PWA-6). It remembers one path: the last. */
export function createReloadGuard(deps: ReloadGuardDeps = {}): ReloadGuard {
  const {
    storage = () => window.sessionStorage,
    now = Date.now,
    location = window.location,
    prefix = STORAGE_PREFIX,
  } = deps;
  const key = `${checkPrefix(prefix)}:reload`;
  return {
    reload(path) {
      const here = new URL(location.href);
      if (!URL.canParse(path, here.href)) return false;
      const target = new URL(path, here);
      if (target.origin !== here.origin) return false;
      try {
        if (isRecent(storage().getItem(key), path, now())) return false;
        storage().setItem(key, JSON.stringify({ path, expires: now() + PAUSE_MS }));
      } catch {
        return false;
      }
      const isSameDocument = target.pathname + target.search === here.pathname + here.search;
      if (target.href !== here.href) location.assign(target.href);
      // Where only the hash differs the browser has moved without loading.
      if (isSameDocument) location.reload();
      return true;
    },
  };
}

function isRecent(stored: string | null, path: string, now: number): boolean {
  if (stored === null) return false;
  try {
    const record = JSON.parse(stored);
    return record?.path === path && record.expires >= now;
  } catch {
    return false;
  }
}
