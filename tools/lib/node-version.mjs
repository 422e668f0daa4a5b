import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { fail } from './say.mjs';

/** Compares with "engines" of package.json, which has the form >=20.19. */
export function checkNodeVersion(running = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const wanted = engines.node.replace(/[^\d.]/g, '');
  if (isOlder(running, wanted)) fail(`Wardline needs Node ${wanted} or newer; this is ${running}.`);
}

export function isOlder(version, than) {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
