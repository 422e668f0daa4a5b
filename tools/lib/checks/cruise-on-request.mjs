/**
 * Started with a channel: for each folder and configuration that is sent it writes the report of the cruiser and answers.
 * One process, because most of a run of the cruiser is its start.
 */
import { inRoot } from '../paths.mjs';

const { default: executeCli } = await import(inRoot('node_modules/dependency-cruiser/src/cli/index.mjs'));

process.on('message', async ({ folder, config, report }) => {
  process.chdir(folder);
  await executeCli(['apps', 'packages'], { config, outputType: 'json', outputTo: report });
  process.send(null);
});
process.on('disconnect', () => process.exit());
