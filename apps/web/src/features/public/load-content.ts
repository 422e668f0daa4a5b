import { createLog } from '@wardline/client/log.ts';
import { buildId } from '#/shared/navigation/build-id.ts';
import type { PublicContent } from './content/page-content.ts';
import type { Payloads } from './payloads.ts';

let payloads: Payloads | null = null;

/** What a public page says. Only the build and development have the words themselves; the browser is handed them. */
export async function loadContent<Path extends keyof PublicContent>(path: Path): Promise<PublicContent[Path]> {
  if (import.meta.env.SSR || import.meta.env.DEV)
    return (await import('./content/public-content.ts')).publicContent[path];
  const { createPayloads } = await import('./payloads.ts');
  payloads ??= createPayloads({
    document,
    fetch: (...input) => fetch(...input),
    buildId,
    warn: createLog().warn,
    loadedPath: () => new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href).pathname,
    currentPath: () => location.pathname,
    leave: (to) => location.assign(to),
  });
  return (await payloads.load(path)) as PublicContent[Path];
}
