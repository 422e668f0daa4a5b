import type { Rolldown } from 'vite';

/** What a page needs beside the entry: addresses of scripts and style sheets. */
export interface RouteFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The files that the split-off parts of these routes are made of, without those the entry loads anyhow. */
export function routeFiles(bundle: Rolldown.OutputBundle, routeIds: readonly string[]): RouteFiles {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (names: readonly string[]): Set<string> => {
    const seen = new Set<string>();
    const waiting = [...names];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      waiting.push(...(byName.get(name)?.imports ?? []));
    }
    return seen;
  };
  const sources = routeIds.map((id) => `/src/routes${id.endsWith('/') ? `${id}index` : id}.tsx?`);
  const own = chunks.filter(({ facadeModuleId }) => sources.some((source) => facadeModuleId?.includes(source)));
  const entry = withImports(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  const names = [...withImports(own.map(({ fileName }) => fileName))].filter((name) => !entry.has(name));
  const styles = names.flatMap((name) => [...(byName.get(name)?.viteMetadata?.importedCss ?? [])]);
  return { scripts: names.map(addressOf), styles: [...new Set(styles)].map(addressOf) };
}

const addressOf = (fileName: string) => `/${fileName}`;
