/** Reading of Vite's manifest: { 'src/file.tsx': { file, isEntry, imports: [key], dynamicImports: [key] } }. */

/** The JavaScript files loaded for the entry and the given chunks, with all their static imports. */
export function loadedFiles(manifest, keys) {
  const entries = Object.keys(manifest).filter((key) => manifest[key].isEntry && /\.html$/.test(key));
  const seen = new Set();
  const waiting = [...entries, ...keys];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    waiting.push(...(manifest[key]?.imports ?? []));
  }
  return [...new Set([...seen].map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))];
}

/**
 * The routes with this word (or words with slashes) in their address, each with the chunks it needs: its own and those of
 * its parents.
 * File names follow TanStack Router: folders and dots are levels, `?tsr-split=…` marks a split-off part.
 */
export function routeChunks(manifest, word) {
  const routes = Object.keys(manifest)
    .filter((key) => /(^|\/)src\/routes\//.test(key))
    .map((key) => ({ key, levels: levelsOf(key) }));
  const wanted = routes.filter(({ levels }) => `/${levels.join('/')}/`.includes(`/${word}/`));
  const names = new Map(wanted.map(({ levels }) => [levels.join('/'), levels]));
  return [...names].map(([name, levels]) => ({
    name,
    keys: routes.filter((route) => isParentOrSelf(route.levels, levels)).map(({ key }) => key),
  }));
}

function levelsOf(key) {
  const path = key.replace(/^.*src\/routes\//, '').replace(/\?.*$/, '');
  const levels = path.replace(/\.tsx?$/, '').split(/[/.]/);
  return levels.filter((level) => !['route', 'lazy', '__root'].includes(level));
}

function isParentOrSelf(candidate, levels) {
  return candidate.every((level, index) => level === levels[index]);
}
