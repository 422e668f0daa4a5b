import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Conditions {
  readonly kbitPerSecond: number;
  readonly latencyMs: number;
  /** How many times slower the processor is made. */
  readonly slowdown: number;
}

export interface Visit {
  readonly firstPaintMs: number;
  /** When the form could be sent; the first paint where there is no form. */
  readonly usableMs: number;
}

const LONGEST_MS = 30_000;
const inPage = fileURLToPath(new URL('in-page.mjs', import.meta.url));

/** One visit by somebody who was never here, under these conditions. */
export async function visit(browser: Browser, url: string, conditions: Conditions): Promise<Visit> {
  const context = await browser.newContext();
  try {
    return await visitIn(context, url, conditions);
  } finally {
    await context.close();
  }
}

/** A browser profile that has been here before, for visits without a network. */
export async function keepOffline(browser: Browser, url: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.close();
  return {
    async visitOffline(address: string, { slowdown }: Conditions): Promise<Visit> {
      await context.setOffline(true);
      return await visitIn(context, address, { kbitPerSecond: 0, latencyMs: 0, slowdown });
    },
    close: () => context.close(),
  };
}

async function visitIn(context: BrowserContext, url: string, conditions: Conditions): Promise<Visit> {
  const page = await context.newPage();
  try {
    await slowDown(context, page, conditions);
    await page.addInitScript({ path: inPage });
    await page.goto(url, { waitUntil: 'commit' });
    const read = () => (globalThis as unknown as { readVisit(): Visit | null }).readVisit();
    const measured = await page.waitForFunction(read, null, { timeout: LONGEST_MS, polling: 200 });
    return (await measured.jsonValue()) as Visit;
  } finally {
    await page.close();
  }
}

async function slowDown(context: BrowserContext, page: Page, { kbitPerSecond, latencyMs, slowdown }: Conditions) {
  const debug = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (kbitPerSecond === 0) return;
  const bytes = (kbitPerSecond * 1000) / 8;
  await debug.send('Network.enable');
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytes,
    uploadThroughput: bytes / 2,
  });
}
