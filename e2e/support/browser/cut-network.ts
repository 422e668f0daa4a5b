import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import type { BrowserPerson } from '../browser-person.ts';
import type { CuttingProxy } from '../servers/cutting-proxy.ts';
import { CUT_OFF } from './console-lines.ts';

const QUIET_MS = 500;
const LONGEST_MS = 5_000;

/** Cuts a person's way to the server: at the device, and at the proxy where their connections go through one. */
export async function cutNetwork(person: BrowserPerson, proxy?: Pick<CuttingProxy, 'sever'>): Promise<void> {
  // Code that is still on its way would be missed aloud. What a journey holds back on purpose is not waited for.
  await untilQuiet(person.context);
  person.allowConsole(CUT_OFF, 'the network is cut');
  proxy?.sever();
  await person.context.setOffline(true);
}

export async function restoreNetwork(person: BrowserPerson, proxy?: Pick<CuttingProxy, 'restore'>): Promise<void> {
  proxy?.restore();
  await person.context.setOffline(false);
}

/** The pages are loaded, and have asked for nothing and had nothing to do for half a second. */
async function untilQuiet(context: BrowserContext): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  const isLoaded = (page: Page) => page.waitForLoadState('networkidle', { timeout: LONGEST_MS });
  await Promise.allSettled(context.pages().map(isLoaded));
  let last = Date.now();
  const note = () => {
    last = Date.now();
  };
  context.on('request', note).on('requestfinished', note);
  while (Date.now() - last < QUIET_MS && Date.now() < end) {
    await sleep(QUIET_MS / 5);
    await Promise.allSettled(context.pages().map(untilIdle));
  }
  context.off('request', note).off('requestfinished', note);
}

/** What a busy page does next may be its next request. */
const untilIdle = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 1_000 })));
