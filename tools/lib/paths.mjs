import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const inRoot = (...parts) => join(root, ...parts);

/** A folder for what tools leave behind; it goes with node_modules. */
export function cacheFolder(...parts) {
  const folder = inRoot('node_modules', '.cache', 'wardline', ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}
