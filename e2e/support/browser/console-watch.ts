import type { Browser, BrowserContext, Request } from '@playwright/test';
import { type ConsoleLine, judgeConsole, LEFT_WHILE_CONNECTING, lineOf, type MeantLine } from './console-lines.ts';

/** One test at a time runs in a process, and beforeAll's people live on from test to test: what is open here is theirs. */
const contexts = new Set<BrowserContext>();
let lines: ConsoleLine[] = [];
let meant: MeantLine[] = [];
const excused = new Set<string>();

/** Hears every page of every context that this browser opens from now on, those of the driver's own `page` included. */
export function watchBrowser(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    watchContext(context);
    // Where service workers are off the driver puts a line about that into every page's console.
    await context.addInitScript(() => {
      const { ServiceWorkerContainer: container } = globalThis;
      if (container && !container.prototype.register.toString().includes('[native code]')) {
        container.prototype.register = async () => undefined as never;
      }
    });
    return context;
  };
}

function watchContext(context: BrowserContext): void {
  contexts.add(context);
  context.on('close', () => contexts.delete(context));
  context.on('console', (message) => noteLine(context, lineOf(message)));
  context.on('weberror', (error) => noteLine(context, `uncaught: ${error.error().message}`));
  excuseReadsAtSignOut(context);
}

/** A read under way while the session ends is answered by 401, as it should be: whether there is one hangs on time alone. */
function excuseReadsAtSignOut(context: BrowserContext): void {
  const underWay = new Set<Request>();
  const isSignOut = (request: Request) => request.method() === 'POST' && new URL(request.url()).pathname === '/logout';
  const isRead = (request: Request) => request.method() === 'GET';
  const excuse = (request: Request) => excused.add(`failed load: 401 ${request.url()}`);
  context.on('request', (request) => {
    underWay.add(request);
    if (isSignOut(request)) [...underWay].filter(isRead).forEach(excuse);
    else if (isRead(request) && [...underWay].some(isSignOut)) excuse(request);
  });
  const isOver = (request: Request) => underWay.delete(request);
  context.on('requestfinished', isOver);
  context.on('requestfailed', isOver);
}

/** Puts a line beside those of the console, to be judged with them. */
export function noteLine(context: BrowserContext, text: string): void {
  if (LEFT_WHILE_CONNECTING.test(text)) return;
  lines.push({ context, text });
}

/** The running test brings this line about, and fails where it does not come. */
export function expectConsole(context: BrowserContext, what: RegExp, why: string): void {
  meant.push({ context, what, why, mayBeMissing: false });
}

/** The running test may bring this line about: it hangs on time whether it comes. */
export function allowConsole(context: BrowserContext, what: RegExp, why: string): void {
  meant.push({ context, what, why, mayBeMissing: true });
}

const FLUSH_LIMIT_MS = 1000;

/** What is wrong with the consoles since the test before; then begins anew. */
export async function takeConsole(): Promise<string[]> {
  // What was said is on its way: each page's next answer comes behind it.
  const pages = [...contexts].flatMap((context) => context.pages());
  const limit = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS).unref());
  await Promise.race([limit, Promise.allSettled(pages.map((page) => page.evaluate(() => undefined)))]);
  const unexcused = lines.filter(({ text }) => !excused.has(text));
  const problems = judgeConsole(unexcused, meant);
  excused.clear();
  lines = [];
  meant = [];
  return problems;
}
