import type { Page } from '@playwright/test';

/**
 * Everything that is kept on this device for the site, as text: caches with their bodies, every database row with its bytes
 * decoded, both storages. A place stands before each: `cache:…`, `database:…`, `local:…`, `session:…`.
 */
export async function keptOnDevice(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const found: string[] = [];

    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        found.push(`cache:${name} ${request.url} ${await answer?.text()}`);
      }
    }

    const asText = (value: unknown): string => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        const bytes = new Uint8Array(value instanceof ArrayBuffer ? value : value.buffer);
        return `${new TextDecoder('utf-8').decode(bytes)} ${new TextDecoder('utf-16le').decode(bytes)}`;
      }
      if (value instanceof CryptoKey) return `[key, extractable ${value.extractable}]`;
      if (Array.isArray(value)) return value.map(asText).join(' ');
      if (typeof value === 'object' && value !== null) {
        return Object.entries(value)
          .map(([name, inner]) => `${name}=${asText(inner)}`)
          .join(' ');
      }
      return String(value);
    };
    const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The database did not answer.'));
      });
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await answerOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = await answerOf(database.transaction(store).objectStore(store).getAll());
        for (const row of rows) found.push(`database:${name}/${store} ${asText(row)}`);
      }
      database.close();
    }

    for (const [kind, storage] of [
      ['local', localStorage],
      ['session', sessionStorage],
    ] as const) {
      for (const [name, value] of Object.entries(storage)) found.push(`${kind}:${name} ${value}`);
    }

    const root = await navigator.storage.getDirectory();
    for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) found.push(`file:${name}`);
    return found;
  });
}
