/** `npm run pack:client [FOLDER]`: packages/client as a tarball for other applications (docs/client-package.md). */
import { resolve } from 'node:path';
import { packClient } from './lib/pack-client.mjs';
import { inRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

const [folder] = process.argv.slice(2);
say(await packClient(folder === undefined ? inRoot() : resolve(folder)));
