import type { Page } from '@playwright/test';
import type { BrowserPerson } from '../browser-person.ts';
import type { CuttingProxy } from '../servers/cutting-proxy.ts';
import { CUT_OFF } from './console-lines.ts';

/** Cuts a person's way to the server: at the device, and at the proxy where their connections go through one. */
export async function cutNetwork(person: BrowserPerson, proxy?: Pick<CuttingProxy, 'sever'>): Promise<void> {
  // Code that is still on its way would be missed aloud. What a journey holds back on purpose is not waited for.
  const isQuiet = (page: Page) => page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await Promise.all(person.context.pages().map(isQuiet));
  person.allowConsole(CUT_OFF, 'the network is cut');
  proxy?.sever();
  await person.context.setOffline(true);
}

export async function restoreNetwork(person: BrowserPerson, proxy?: Pick<CuttingProxy, 'restore'>): Promise<void> {
  proxy?.restore();
  await person.context.setOffline(false);
}
