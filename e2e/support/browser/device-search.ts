import type { Page } from '@playwright/test';

/**
 * Everything that is kept on this device for the site, as text: caches with their bodies, every database row with its bytes
 * decoded, both storages, files. A place stands before each: `cache:…`, `database:…`, `local:…`, `session:…`, `file:…`.
 */
export async function keptOnDevice(page: Page): Promise<string[]> {
  return [...(await inCaches(page)), ...(await inDatabases(page)), ...(await inStorages(page))];
}

async function inCaches(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        found.push(`cache:${name} ${request.url} ${await answer?.text()}`);
      }
    }
    return found;
  });
}

async function inDatabases(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const asText = (value: unknown): string => {
      if (value instanceof ArrayBuffer) {
        return `${new TextDecoder('utf-8').decode(value)} ${new TextDecoder('utf-16le').decode(value)}`;
      }
      if (value instanceof Uint8Array) return asText(value.slice().buffer);
      if (value instanceof CryptoKey) return `[key, extractable ${value.extractable}]`;
      if (typeof value !== 'object' || value === null) return String(value);
      return Object.entries(value)
        .map(([name, inner]) => `${name}=${asText(inner)}`)
        .join(' ');
    };
    const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The database did not answer.'));
      });
    const found: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = await answerOf(database.transaction(store).objectStore(store).getAll());
        for (const row of rows) found.push(`database:${name}/${store} ${asText(row)}`);
      }
      database.close();
    }
    return found;
  });
}

async function inStorages(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const found = [
      ...Object.entries(localStorage).map(([name, value]) => `local:${name} ${value}`),
      ...Object.entries(sessionStorage).map(([name, value]) => `session:${name} ${value}`),
    ];
    const root = (await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterable<string> };
    for await (const name of root.keys()) found.push(`file:${name}`);
    return found;
  });
}
