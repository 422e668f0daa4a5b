type Json = Record<string, unknown>;

interface Offer {
  /** Options with a new challenge, which is good for five minutes. */
  readonly ask: () => Promise<Json>;
  /** Aborted when the form goes, or another way to sign in begins. */
  readonly signal: AbortSignal;
}

/** Before the challenge is over. */
const RENEW_MS = 4 * 60_000;

/**
 * Has the browser list passkeys among the names that it fills in, and waits until its person chooses one; null where the
 * browser can't or nobody did. The server is asked only by a page that somebody sees, once in four minutes.
 */
export async function offerPasskeys({ ask, signal }: Offer): Promise<Json | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await import(
    '@simplewebauthn/browser'
  );
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  while (!signal.aborted) {
    await untilVisible();
    if (signal.aborted) break;
    const optionsJSON = (await ask()) as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
    if (signal.aborted) break;
    let isOver = false;
    const cancel = () => WebAuthnAbortService.cancelCeremony();
    const timer = setTimeout(() => {
      isOver = true;
      cancel();
    }, RENEW_MS);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: true })) };
    } catch {
      if (!isOver) break;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }
  return null;
}

function untilVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}
