/** The rules of both .dependency-cruiser files over apps and packages. `node tools/checks/import-rules.mjs [--output-type …]`. */
import { inRoot } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

const cruise = (config) =>
  run(process.execPath, [
    ...['--import', new URL('../lib/checks/cruiser-reads-typescript.mjs', import.meta.url).href],
    inRoot('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
    ...['--config', config, '--output-type', 'err-long', ...process.argv.slice(2), 'apps', 'packages'],
  ]);

const cruises = await Promise.all([cruise('.dependency-cruiser.cjs'), cruise('.dependency-cruiser.folders.cjs')]);
for (const { output } of cruises) process.stdout.write(output);
process.exitCode = Math.max(...cruises.map(({ code }) => code));
