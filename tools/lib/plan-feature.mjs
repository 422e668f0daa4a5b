import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

const MIGRATIONS = 'apps/server/db/migrations';
const PATH = /^[a-z]+(-[a-z]+)*$/;

/** The files that a new feature brings and those that it changes, by their paths with what then stands in them. */
export function planFeature(many, one) {
  if (!PATH.test(many) || !PATH.test(one) || one === many)
    throw new Error('A name is of words with hyphens: bed-requests.');
  const names = { ...namesOf('many', many), ...namesOf('one', one) };
  const fill = (template) => template.replace(/\{\{(.+?)\}\}/g, (_, name) => nameOf(names, name));
  const migration = nextMigration(names.many_table);
  const server = `apps/server/src/features/${many}`;
  const web = `apps/web/src/features/${many}`;
  const templates = {
    contract: `packages/contract/src/${many}.ts`,
    migration: `${MIGRATIONS}/${migration}`,
    'server-index': `${server}/index.ts`,
    'server-routes': `${server}/routes.ts`,
    'server-policy': `${server}/policy.ts`,
    'server-list': `${server}/list-${many}.ts`,
    'server-create': `${server}/create-${one}.ts`,
    'server-test': `${server}/${many}.test.ts`,
    'web-index': `${web}/index.ts`,
    'web-queries': `${web}/${one}-queries.ts`,
    'web-screen': `${web}/${many}-screen.tsx`,
    'web-route': `apps/web/src/routes/_in/${many}.tsx`,
  };
  const files = new Map(
    Object.entries(templates).map(([template, file]) => [file, fill(read(`tools/new-feature/${template}.txt`))]),
  );
  const checksum = createHash('sha256').update(files.get(templates.migration)).digest('hex');
  files.set(`${MIGRATIONS}/checksums.txt`, `${read(`${MIGRATIONS}/checksums.txt`)}${checksum}  ${migration}\n`);
  for (const [file, places] of Object.entries(PLACES)) {
    const filled = places.map(([mark, added]) => [mark, fill(added)]);
    files.set(file, withPlaces(file, filled));
  }
  return files;
}

/** Where a feature is registered: what is added before which mark. */
const PLACES = {
  'packages/contract/src/endpoints.ts': [
    ['import type { AnyEndpoint }', "import { {{one}}Endpoints } from './{{many-path}}.ts';\n"],
    ['\n];', '\n  ...{{one}}Endpoints,'],
  ],
  'packages/contract/src/audit-actions.ts': [["    'contact.send',", "    '{{one_table}}.create',\n"]],
  'apps/server/src/features/audit/view/format-action.ts': [
    ["  'contact.send':", "  '{{one_table}}.create': 'Created {{one words}}',\n"],
  ],
  'apps/server/db/functions/walls/build_walls.sql': [["'roles', 'units'", "'{{many_table}}', "]],
  'apps/server/src/app/features.ts': [
    ['import { deriveKey }', "import { {{many}}Feature } from '#/features/{{many-path}}/index.ts';\n"],
    ['  const clocks: Plugin', '  const {{many}} = {{many}}Feature();\n'],
    ['\n    { close: images.close },', '\n    {{many}},'],
  ],
  'apps/server/src/testing/samples/contract-samples.ts': [
    [
      '  revokeInvitation: async',
      `  list{{Many}}: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '5' } }),
  create{{One}}: async ({ ours: { facility, marker } }) => ({
    params: { facility: facility.id },
    body: { title: \`Title \${marker}\` },
  }),
`,
    ],
  ],
  'apps/server/src/app/access-matrix.test.ts': [
    ['  listMembers: /*', '  list{{Many}}: [401, 404, 200, 200, 200],\n  create{{One}}: [401, 404, 201, 201, 201],\n'],
  ],
  'apps/web/src/app/router/app-paths.ts': [["  '/census',", "  '/{{many-path}}',\n"]],
  'e2e/support/demo-pages.ts': [
    ["    { name: 'verify-email'", "    { name: '{{many-path}}', path: '/{{many-path}}' },\n"],
  ],
};

function withPlaces(file, places) {
  let content = read(file);
  for (const [mark, added] of places) {
    if (content.split(mark).length !== 2) throw new Error(`${file} does not have "${mark.trim()}" once.`);
    content = content.replace(mark, () => added + mark);
  }
  return content;
}

/** bed-requests: BedRequests, bedRequests, bed requests, bed_requests, under the names of the templates. */
function namesOf(key, path) {
  const words = path.split('-');
  const upper = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  const plain = words.join(' ');
  const Key = key[0].toUpperCase() + key.slice(1);
  return {
    [key]: upper[0].toLowerCase() + upper.slice(1),
    [Key]: upper,
    [`${key}-path`]: path,
    [`${key}_table`]: words.join('_'),
    [`${key} words`]: plain,
    [`${Key} words`]: plain[0].toUpperCase() + plain.slice(1),
  };
}

function nameOf(names, name) {
  if (names[name] === undefined) throw new Error(`A template asks for ${name}.`);
  return names[name];
}

function nextMigration(table) {
  const numbers = readdirSync(inRoot(MIGRATIONS)).flatMap((file) => /^(\d{4})_/.exec(file)?.[1] ?? []);
  return `${String(Math.max(...numbers.map(Number)) + 1).padStart(4, '0')}_${table}.sql`;
}

function read(file) {
  return readFileSync(inRoot(file), 'utf8');
}
