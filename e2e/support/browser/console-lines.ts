import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** What a browser said: console output, an uncaught error, a load that failed, a request to a foreign host. */
export interface ConsoleLine {
  readonly context: BrowserContext;
  readonly text: string;
}

/** What a test brings about itself. */
export interface MeantLine {
  readonly context: BrowserContext;
  readonly what: RegExp;
  readonly why: string;
  /** Where it hangs on time whether the line comes at all. */
  readonly mayBeMissing: boolean;
}

/** The lines that nobody meant and, unless told otherwise, what was meant and never came; nothing where all is as it should. */
export function judgeConsole(lines: readonly ConsoleLine[], meant: readonly MeantLine[]): string[] {
  const fits = (line: ConsoleLine, { context, what }: MeantLine) => context === line.context && what.test(line.text);
  const unmeant = lines.filter((line) => !meant.some((each) => fits(line, each)));
  const missing = meant.filter((each) => !each.mayBeMissing && !lines.some((line) => fits(line, each)));
  return [
    ...unmeant.map(({ text }) => `not meant: ${text}`),
    ...missing.map(({ what, why }) => `meant (${why}), but it never came: ${what}`),
  ];
}

/** A message of the console as one line; a load that failed with its address, which Chromium keeps beside the text. */
export function lineOf(message: ConsoleMessage): string {
  const [text, { url }] = [message.text(), message.location()];
  const failed = /^Failed to load resource: (?:the server responded with a status of (\d+)|(net::\w+))/.exec(text);
  return failed ? `failed load: ${failed[1] ?? failed[2]} ${url}` : `${message.type()}: ${text}`;
}

/**
 * The line of a load that failed: by a status ('404') or for want of an answer ('net::ERR_FAILED'), from a path in which a
 * name in braces stands for one part and a star for any end. Queries and hosts are not looked at.
 */
export function failedLoad(how: number | string, path: string): RegExp {
  const address = path
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{\w+\}/g, '[^/?]+')
    .replace(/\\\*$/, '[^?]*');
  return new RegExp(`^failed load: ${how} https?://[^/]+${address}([?].*)?$`);
}

/** The line of a page that finds out that its session has ended (AUTH-2). */
export const SESSION_IS_OVER = /^warning: User session is not set in API or expired, resetting identity$/;

/** The line of a page that is opened where nobody can be asked who is signed in (AUTH-1). */
export const NOBODY_TO_ASK = /^error: Unable to load user identity from API ApiError: The server could not be reached/;

/** The line of a sign-out that the server has not heard of yet. */
export const SIGN_OUT_OWED =
  /^error: The server did not end the session that was signed out of (ApiError: |\(repeated )/;

/** The lines of a page whose part of the client could not be loaded (PWA-6). */
export function brokenChunk(chunk: string, how: number | string): readonly RegExp[] {
  return [
    failedLoad(how, chunk),
    /^error: A component failed TypeError: Failed to fetch dynamically imported module: /,
  ];
}

/** What a request ends with that reached nobody, or whose answer was cut off. */
const NO_ANSWER =
  '(INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_[A-Z]+|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)';

/**
 * The lines of a network that is cut, or of a server that is gone: requests without an answer, sockets, and channels asked
 * for whose socket has gone meanwhile.
 */
export const CUT_OFF = new RegExp(
  `^(failed load: net::ERR_${NO_ANSWER} |failed load: 409 \\S+/broadcasting/auth$|(error|warning): WebSocket connection to '\\S+' failed: )`,
);

/** Chromium's line where a page is left while its socket is still being opened: it hangs on time alone. */
export const LEFT_WHILE_CONNECTING =
  /^warning: WebSocket connection to '\S+' failed: WebSocket is closed before the connection is established\.$/;

/** The dashboard asks for hand-overs, which not every back end has; it hangs on time whether that is before the test ends. */
export const NO_HANDOVERS = failedLoad(404, '/api/waiting-handovers');
