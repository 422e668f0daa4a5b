/**
 * npm run test:watch [FILE …]: what the uncommitted changes reach (or these files), and again with every change. The test
 * PostgreSQL stays up in between.
 */
import { spawn } from 'node:child_process';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { root } from './lib/paths.mjs';
import { local } from './lib/run.mjs';

checkNodeVersion();
await ensureInstalled();

const files = process.argv.slice(2);
const [node, vitest] = local('vitest');
const child = spawn(node, [vitest, 'watch', ...(files.length > 0 ? files : ['--changed'])], {
  cwd: root,
  stdio: 'inherit',
});
// The key that interrupts goes to both: vitest takes its time to stop PostgreSQL.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
