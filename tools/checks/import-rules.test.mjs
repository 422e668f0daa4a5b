import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRoot } from '../lib/paths.mjs';

const FILES = inRoot('.dependency-cruiser.cjs');
const FOLDERS = inRoot('.dependency-cruiser.folders.cjs');
const PRELOAD = new URL('../lib/checks/cruiser-reads-typescript.mjs', import.meta.url).href;
const CRUISER = inRoot('tools', 'lib', 'checks', 'cruise-on-request.mjs');

/** A small tree that keeps every rule. */
const GOOD = {
  'packages/contract/src/chat/chat.ts': `import { z } from 'zod';\nexport const message = z.string();`,
  'packages/format/src/numbers.ts': `export const count = 1;`,
  'packages/census/src/balance.ts': `import { message } from '@wardline/contract/chat/chat.ts';\nexport const balance = message;`,
  'packages/ui/src/button.tsx': `import { icon } from 'icons';\nimport { count } from '@wardline/format/numbers.ts';\nexport const button = <b>{icon}{count}</b>;`,
  'packages/client/src/call.ts': `import { message } from '@wardline/contract/chat/chat.ts';\nexport const call = message;`,
  'apps/web/src/app/boot/main.tsx': `import '#/routes/index.tsx';\nimport { button } from '@wardline/ui/button.tsx';\nexport const app = button;`,
  'apps/web/src/routes/index.tsx': `import { chat } from '#/features/chat/index.ts';\nexport const route = chat;`,
  'apps/web/src/features/chat/index.ts': `export { chat } from './screen.ts';`,
  'apps/web/src/features/chat/screen.ts': `import { call } from '@wardline/client/call.ts';\nexport const chat = call;`,
  'apps/server/src/app/main.ts': `import { routes } from '#/features/chat/index.ts';\nimport '#/features/auth/index.ts';\nexport const app = routes;`,
  'apps/server/src/features/auth/index.ts': `export const secret = 1;`,
  'apps/server/src/features/auth/inner.ts': `import type { DB } from '#/platform/db/types.ts';\nexport type Inner = DB;`,
  'apps/server/src/features/chat/index.ts': `export { routes } from './routes.ts';`,
  'apps/server/src/features/chat/routes.ts': `import { send } from './send-message.ts';\nexport const routes = [send];`,
  'apps/server/src/features/chat/send-message.ts': `import { list } from './queries.ts';\nimport './unread-queries.ts';\nimport './messages/list-messages.ts';\nexport const send = list;`,
  'apps/server/src/features/chat/messages/list-messages.ts': `export { mayRead as list } from '../core/may-read.ts';`,
  'apps/server/src/features/chat/core/may-read.ts': `export const mayRead = 1;`,
  'apps/server/src/features/chat/queries.ts': `import { database } from '#/platform/db/database.ts';\nexport const list = database;`,
  'apps/server/src/features/chat/unread-queries.ts': `import { database } from '#/platform/db/database.ts';\nexport const unread = database;`,
  'apps/server/src/features/chat/send-message.test.ts': `import { send } from './send-message.ts';\nimport { list } from './queries.ts';\nimport { readFileSync } from 'node:fs';\nexport const tested = [send, list, readFileSync];`,
  'apps/server/src/platform/db/database.ts': `import { Pool } from 'pg';\nimport type { DB } from './types.ts';\nexport const database: DB = Pool;`,
  'apps/server/src/platform/db/types.ts': `export type DB = unknown;`,
};

/** Each: the rule that must speak up, the file that is added or replaced, and its text. */
const BREACHES = [
  [
    'no-cycles',
    'apps/web/src/features/chat/screen.ts',
    `import { chat as self } from './index.ts';\nexport const chat = () => self;`,
  ],
  [
    'no-cycles',
    'apps/server/src/platform/db/types.ts',
    `import type { database } from './database.ts';\nexport type DB = typeof database;`,
  ],
  [
    'no-folder-circles',
    'apps/server/src/features/chat/core/unread.ts',
    `export { list } from '../messages/list-messages.ts';`,
  ],
  [
    'no-unresolvable',
    'apps/web/src/features/chat/screen.ts',
    `import { gone } from './gone.ts';\nexport const chat = gone;`,
  ],
  [
    'no-unresolvable',
    'packages/client/src/call.ts',
    `import { secret } from '@wardline/server/features/auth/index.ts';\nexport const call = secret;`,
  ],
  ['no-undeclared-packages', 'packages/client/src/call.ts', `import { Pool } from 'pg';\nexport const call = Pool;`],
  [
    'contract-is-a-leaf',
    'packages/contract/src/chat/chat.ts',
    `import { balance } from '@wardline/census/balance.ts';\nexport const message = balance;`,
  ],
  [
    'contract-needs-only-zod',
    'packages/contract/src/chat/chat.ts',
    `import { icon } from 'icons';\nexport const message = icon;`,
  ],
  [
    'contract-needs-only-zod',
    'packages/contract/src/chat/chat.ts',
    `import { join } from 'node:path';\nexport const message = join;`,
  ],
  [
    'format-stands-on-nothing',
    'packages/format/src/numbers.ts',
    `import { message } from '@wardline/contract/chat/chat.ts';\nexport const count = message;`,
  ],
  ['census-is-pure', 'packages/census/src/balance.ts', `import { z } from 'zod';\nexport const balance = z;`],
  ['examination-is-pure', 'packages/examination/src/news2.ts', `import { z } from 'zod';\nexport const news2 = z;`],
  [
    'ui-is-a-leaf',
    'packages/ui/src/button.tsx',
    `import { message } from '@wardline/contract/chat/chat.ts';\nexport const button = <b>{message}</b>;`,
  ],
  [
    'client-never-imports-apps',
    'packages/client/src/call.ts',
    `import { route } from '../../../apps/web/src/routes/index.tsx';\nexport const call = route;`,
  ],
  [
    'apps-are-strangers',
    'apps/web/src/features/chat/screen.ts',
    `import type { DB } from '../../../../server/src/platform/db/types.ts';\nexport const chat = 1 as DB;`,
  ],
  [
    'browser-code-uses-no-node',
    'apps/web/src/features/chat/screen.ts',
    `import { readFile } from 'node:fs/promises';\nexport const chat = readFile;`,
  ],
  ['browser-code-uses-no-node', 'packages/client/src/call.ts', `export const call = () => import('crypto');`],
  [
    'features-never-import-composition',
    'apps/web/src/features/chat/screen.ts',
    `import type { app } from '#/app/boot/main.tsx';\nexport const chat = null as typeof app;`,
  ],
  [
    'platform-never-imports-features',
    'apps/server/src/platform/db/database.ts',
    `import { secret } from '#/features/auth/index.ts';\nexport const database = secret;`,
  ],
  [
    'features-are-strangers',
    'apps/server/src/features/chat/send-message.ts',
    `import { secret } from '#/features/auth/index.ts';\nexport const send = secret;`,
  ],
  [
    'features-are-strangers',
    'apps/server/src/features/chat/send-message.ts',
    `export const send = (inner: import('#/features/auth/inner.ts').Inner) => inner;`,
  ],
  ['features-are-strangers', 'apps/web/src/features/born-tomorrow/index.ts', `export * from '../chat/index.ts';`],
  [
    'enter-features-by-index',
    'apps/server/src/app/main.ts',
    `import { send } from '#/features/chat/send-message.ts';\nexport const app = send;`,
  ],
  [
    'enter-features-by-index',
    'apps/web/src/routes/index.tsx',
    `export { chat as route } from '#/features/chat/screen.ts';`,
  ],
  [
    'ask-by-our-queries',
    'apps/web/src/features/chat/screen.ts',
    `import { useQuery } from '@tanstack/react-query';\nexport const chat = useQuery;`,
  ],
  [
    'topics-never-import-their-door',
    'apps/server/src/features/chat/core/unread.ts',
    `export { routes } from '../routes.ts';`,
  ],
  [
    'routes-never-query',
    'apps/server/src/features/chat/routes.ts',
    `import { list } from './queries.ts';\nexport const routes = [list];`,
  ],
  [
    'routes-never-query',
    'apps/server/src/features/chat/routes.ts',
    `import { unread } from './unread-queries.ts';\nexport const routes = [unread];`,
  ],
  [
    'source-never-imports-tests',
    'apps/server/src/features/chat/send-message.ts',
    `export { tested as send } from './send-message.test.ts';`,
  ],
  ['no-orphans', 'apps/server/src/features/chat/forgotten.ts', `export const forgotten = 1;`],
];

describe('the import rules', { timeout: 60_000 }, () => {
  let tree;
  let cruiser;
  beforeAll(() => {
    cruiser = startCruiser();
    tree = realpathSync(mkdtempSync(join(tmpdir(), 'wardline rules ')));
    plantWorkspaces(tree);
  });
  afterAll(() => {
    cruiser.end();
    rmSync(tree, { recursive: true, force: true });
  });

  test('find nothing in a tree that keeps them', async () => {
    plant(tree);
    expect([await cruiser.rulesBroken(tree, FILES), await cruiser.rulesBroken(tree, FOLDERS)]).toEqual([[], []]);
  });

  test.each(BREACHES)('%s catches a breach in %s (%#)', async (rule, file, text) => {
    const config = rule === 'no-folder-circles' ? FOLDERS : FILES;
    expect(await cruiser.rulesBroken(plant(tree, { [file]: text }), config)).toContain(rule);
  });

  test('each rule has a sentence that teaches, and a planted breach', () => {
    const forbidden = [FILES, FOLDERS].flatMap((config) => createRequire(import.meta.url)(config).forbidden);
    for (const { comment } of forbidden) expect(comment).toMatch(/^[A-Z].{40,}\.$/);
    expect(new Set(BREACHES.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });
});

function plantWorkspaces(tree) {
  const workspaces = {
    'packages/contract': { zod: '1' },
    'packages/census': {},
    'packages/format': {},
    'packages/ui': { icons: '1' },
    'packages/client': {},
    'apps/web': { '@tanstack/react-query': '1' },
    'apps/server': { pg: '1' },
  };
  for (const [folder, dependencies] of Object.entries(workspaces)) {
    const name = `@wardline/${folder.split('/')[1]}`;
    const exported = folder.startsWith('packages') ? { exports: { './*': './src/*' } } : { exports: {} };
    const imports = { '#/*': './src/*' };
    write(tree, `${folder}/package.json`, JSON.stringify({ name, type: 'module', ...exported, imports, dependencies }));
    mkdirSync(join(tree, 'node_modules', '@wardline'), { recursive: true });
    symlinkSync(join(tree, folder), join(tree, 'node_modules', name));
  }
  write(tree, 'package.json', '{ "name": "toy", "type": "module" }');
  for (const name of ['zod', 'pg', 'icons', '@tanstack/react-query']) {
    write(tree, `node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(tree, `node_modules/${name}/index.js`, '');
  }
}

/** The good tree with some files replaced; what an earlier test planted is gone. */
function plant(tree, changes = {}) {
  for (const folder of ['packages', 'apps']) {
    for (const name of { packages: ['contract', 'format', 'census', 'ui', 'client'], apps: ['web', 'server'] }[
      folder
    ]) {
      rmSync(join(tree, folder, name, 'src'), { recursive: true, force: true });
    }
  }
  for (const [file, text] of Object.entries({ ...GOOD, ...changes })) write(tree, file, text);
  return tree;
}

function write(tree, file, text) {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** The cruiser in one process for all trees, with the configuration and the preload of `npm run check`. */
function startCruiser() {
  const cruiser = fork(CRUISER, [], {
    execArgv: ['--import', PRELOAD],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const ended = once(cruiser, 'exit');
  let said = '';
  cruiser.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return {
    async rulesBroken(folder, config) {
      const report = join(folder, 'report.json');
      rmSync(report, { force: true });
      cruiser.send({ folder, config, report });
      await Promise.race([once(cruiser, 'message'), ended]);
      if (!existsSync(report)) throw new Error(`The cruiser wrote no report: ${said}`);
      const { summary } = JSON.parse(readFileSync(report, 'utf8'));
      return [...new Set(summary.violations.map((violation) => violation.rule.name))];
    },
    end: () => cruiser.disconnect(),
  };
}
