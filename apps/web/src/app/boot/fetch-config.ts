import { fetchJson } from '@wardline/client/http/fetch-json.ts';
import { ClientConfig } from '@wardline/contract/config.ts';
import * as z from 'zod/mini';

const timeoutMs = 10_000;

/**
 * Reads and checks /config.json; offline the service worker answers with the one kept. Rejects with a ConfigProblem where
 * a value is wrong; the words for that are loaded only then.
 */
export async function fetchConfig(): Promise<ClientConfig> {
  const given = await fetchJson('/config.json', { cache: 'no-cache', timeoutMs });
  const parsed = z.safeParse(ClientConfig, given);
  if (parsed.success) return parsed.data;
  const { checkConfig } = await import('@wardline/client/check-config.ts');
  return checkConfig(given);
}
