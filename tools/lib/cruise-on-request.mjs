/**
 * Started with a channel: for each folder that is sent it answers with the names of the rules that are broken there.
 * One process, because most of a run of the cruiser is its start.
 */
import { inRoot } from './paths.mjs';

const [config] = process.argv.slice(2);
const { default: executeCli } = await import(inRoot('node_modules/dependency-cruiser/src/cli/index.mjs'));

process.on('message', async ({ folder, report }) => {
  process.chdir(folder);
  await executeCli(['apps', 'packages'], { config, outputType: 'json', outputTo: report });
  process.send(null);
});
process.on('disconnect', () => process.exit());
