import { type OpenTabChannel, openTabChannel } from '@wardline/client/browser/tab-channel.ts';
import type { TokenStorage } from '@wardline/client/http/call.ts';

const key = 'wardline-token';
/** How long a new tab waits for one that holds the token to hand it over: a tab in the background may be slow. */
export const ANSWER_WITHIN_MS = 3000;
/** The same, where the browser cannot say whether there is such a tab. */
const ANSWER_WITHIN_UNSURE_MS = 200;

type Word = { readonly type: 'ask' } | { readonly type: 'token'; readonly token: string | null };

/**
 * Token mode keeps its bearer token for the life of the tab, in memory where storage is refused, so that the last tab
 * takes it along when it closes. A new tab asks the open ones for it; one that signs in or out tells them. A tab that
 * has the token holds a shared lock of that name, so that a new one knows whether there is anybody to wait for.
 */
export async function openTokenStorage(
  openTab: OpenTabChannel = openTabChannel,
  locks: LockManager | undefined = globalThis.navigator?.locks,
): Promise<TokenStorage> {
  let held: string | null = null;
  let letGo: (() => void) | null = null;
  let onAnswer = (): void => undefined;
  const keep = (token: string | null): void => {
    held = token;
    write(token);
    if (token !== null) letGo ??= hold(locks);
    else {
      letGo?.();
      letGo = null;
    }
  };
  const tab = openTab<Word>(key, (word) => {
    if (word.type === 'token') {
      keep(word.token);
      onAnswer();
    } else if (held !== null) tab.post({ type: 'token', token: held });
  });
  const own = read();
  if (own !== null) keep(own);
  else {
    const waitMs = await answerTime(locks);
    if (waitMs > 0 && held === null) {
      await new Promise<void>((resolve) => {
        onAnswer = resolve;
        setTimeout(resolve, waitMs);
        tab.post({ type: 'ask' });
      });
    }
  }
  return {
    get: () => held,
    set(token) {
      keep(token);
      tab.post({ type: 'token', token });
    },
  };
}

/** Holds the lock that says this tab has the token, until the returned function is called or the tab closes. */
function hold(locks: LockManager | undefined): () => void {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  locks?.request(key, { mode: 'shared' }, () => until).catch(() => undefined);
  return letGo;
}

async function answerTime(locks: LockManager | undefined): Promise<number> {
  try {
    const { held } = (await locks?.query()) ?? {};
    if (held === undefined) return ANSWER_WITHIN_UNSURE_MS;
    return held.some(({ name }) => name === key) ? ANSWER_WITHIN_MS : 0;
  } catch {
    return ANSWER_WITHIN_UNSURE_MS;
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, token);
  } catch {
    // Storage is closed: the token lives as long as the page.
  }
}
