/** Builds what changed: `node tools/build.mjs [web] [server]`. */
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';

await ensureInstalled();
const apps = process.argv.slice(2);
await ensureBuilt(apps.length > 0 ? apps : undefined);
