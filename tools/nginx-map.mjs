/** `node tools/nginx-map.mjs CONFIG.JSON`: what nginx passes on to the back end of this configuration (docs/laravel.md). */
import { readFileSync } from 'node:fs';
import { register } from 'tsx/esm/api';
import { fail, say } from './lib/say.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) fail('Usage: node tools/nginx-map.mjs path/to/config.json');

const unregister = register();
const { checkConfig } = await import('../packages/client/src/check-config.ts');
const { backEndAddresses } = await import('../packages/contract/src/back-end-addresses.ts');
const { nginxMap } = await import('../packages/contract/src/nginx-map.ts');
await unregister();
try {
  say(nginxMap(backEndAddresses(checkConfig(JSON.parse(readFileSync(file, 'utf8'))).endpoints)));
} catch (error) {
  fail(error.message);
}
