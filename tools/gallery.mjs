/** The gallery of the kit: starts it with hot replacement, or with `--build` writes it to packages/ui/gallery/dist. */
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';

checkNodeVersion();
await ensureInstalled();
const isBuild = process.argv.includes('--build');
const { code } = await runLocal('vite', isBuild ? ['build', '--logLevel', 'error'] : ['dev', '--clearScreen=false'], {
  cwd: inRoot('packages', 'ui', 'gallery'),
  echo: 'out',
});
process.exitCode = code;
