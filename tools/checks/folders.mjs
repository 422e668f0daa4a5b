/** A folder of more than 20 files is split into topics: somebody new finds a name among few (CONTRIBUTING.md). */
import { crowdedFolders, idleExceptions } from '../lib/checks/crowded-folders.mjs';
import { ourFiles } from '../lib/files.mjs';
import { say } from '../lib/say.mjs';

const files = ourFiles();
const crowded = crowdedFolders(files).map(({ folder, count, most }) => `${folder}  ${count} files, at most ${most}`);
const idle = idleExceptions(files).map((folder) => `${folder}  needs its exception no more`);
if (crowded.length + idle.length > 0) {
  say(
    `Split these by what somebody would look for; exceptions stand in tools/lib/checks/crowded-folders.mjs:\n  ${[...crowded, ...idle].join('\n  ')}`,
  );
  process.exitCode = 1;
}
