/** The rules of .dependency-cruiser.cjs over apps and packages. `node tools/import-rules.mjs [--output-type …]`. */
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const { code, output } = await run(process.execPath, [
  ...['--import', new URL('lib/cruiser-reads-typescript.mjs', import.meta.url).href],
  inRoot('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
  ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', ...process.argv.slice(2), 'apps', 'packages'],
]);
process.stdout.write(output);
process.exitCode = code;
