import type { TokenStorage } from '@wardline/client/http/call.ts';
import { type OpenTabChannel, openTabChannel } from '@wardline/client/tabs/tab-channel.ts';

const key = 'wardline-token';
/** How long a new tab waits for another one to hand over its token. */
export const answerWithinMs = 200;

type Word = { readonly type: 'ask' } | { readonly type: 'token'; readonly token: string | null };

/**
 * Token mode keeps its bearer token for the life of the tab, in memory where storage is refused, so that the last tab
 * takes it along when it closes. A new tab asks the open ones for it; one that signs in or out tells them.
 */
export async function openTokenStorage(openTab: OpenTabChannel = openTabChannel): Promise<TokenStorage> {
  let held = read();
  let onAnswer = (): void => undefined;
  const keep = (token: string | null): void => {
    held = token;
    write(token);
  };
  const tab = openTab<Word>(key, (word) => {
    if (word.type === 'token') {
      keep(word.token);
      onAnswer();
    } else if (held !== null) tab.post({ type: 'token', token: held });
  });
  if (held === null) {
    await new Promise<void>((resolve) => {
      onAnswer = resolve;
      setTimeout(resolve, answerWithinMs);
      tab.post({ type: 'ask' });
    });
  }
  return {
    get: () => held,
    set(token) {
      keep(token);
      tab.post({ type: 'token', token });
    },
  };
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
