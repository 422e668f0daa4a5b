import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNightly } from '../apps/server/src/testing/nightly.ts';
import { asPacked, EXAMPLES, packClient } from './lib/pack-client.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const COMPILERS = { 7: inRoot('node_modules', 'typescript'), 5.9: inRoot('e2e', 'node_modules', 'typescript') };
const client = inRoot('packages', 'client');

let folder;
let packed;
let files;
let manifest;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wardline-pack-'));
  execFileSync('tar', ['-xzf', await packClient(folder), '-C', folder]);
  packed = join(folder, 'package');
  files = readdirSync(packed, { recursive: true }).filter((file) => /\.\w+$|LICENSE$/.test(file));
  manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file) => readFileSync(join(packed, file), 'utf8');
const built = () => files.filter((file) => /\.(js|ts)$/.test(file));
const IMPORT = /^(?:import|export)\b(?:[^;'"=]*\bfrom )?\s*['"]([^'"\n]+)['"];|\bimport\(['"]([^'"]+)['"]\)/gm;
const imported = (file) => [...read(file).matchAll(IMPORT)].map(([, name, later]) => name ?? later);

describe('the packed client', () => {
  it('F-L11 has licence, readme, and of the sources what was built of them, without the tests', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const modules = built().filter((file) => file.endsWith('.js'));
    expect(modules).toContain('dist/http/call.js');
    expect(modules).toContain('dist/contract/endpoint.js');
    expect(built().filter((file) => /test|[^d]\.ts$/.test(file))).toEqual([]);
    expect(built().sort()).toEqual(modules.flatMap((file) => [file.replace(/js$/, 'd.ts'), file]).sort());
  });

  it('F-L11 needs nothing that it does not name: every import is of a file in it, a dependency or a peer', () => {
    const peers = Object.keys(manifest.peerDependencies);
    const named = [...Object.keys(manifest.dependencies), ...peers];
    expect(named.filter((name) => name.startsWith('@wardline/'))).toEqual([]);
    const strangers = built().flatMap((file) =>
      imported(file)
        .filter(
          (name) =>
            !(name.startsWith('.') ? isThere(file, name) : named.some((one) => `${name}/`.startsWith(`${one}/`))),
        )
        .map((name) => `${file}: ${name}`),
    );
    expect(strangers).toEqual([]);
    const withReact = built().filter((file) => imported(file).includes('react') && file.endsWith('.js'));
    expect(withReact.length).toBeGreaterThan(0);
    expect(withReact.filter((file) => !/\/use-[\w-]+\.js$/.test(file))).toEqual([]);
    expect(manifest.peerDependenciesMeta).toMatchObject({
      react: { optional: true },
      '@types/react': { optional: true },
    });
  });

  it('F-L11 is told in its readme by the names that its files have in it', () => {
    const named = [...read('README.md').matchAll(/@wardline\/client\/([\w/-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    const isFileOrFolder = (name) =>
      files.some((file) => file === `dist/${name}.js` || file.startsWith(`dist/${name}/`));
    expect(named.filter((name) => !isFileOrFolder(name))).toEqual([]);
    expect(read('README.md')).not.toContain('packages/');
  });

  it.each(isNightly ? Object.keys(COMPILERS) : ['7'])(
    'F-L11 types are clean under TypeScript %s, all of them and as the document uses them',
    { timeout: 600_000 },
    async (version) => {
      const compiler = COMPILERS[version];
      expect(JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')).version).toMatch(`${version}.`);
      const app = makeApp(`app-${version}`);
      // One mistake of the application's own, so that it is seen to be looked at.
      const wrong = [
        "import { createToasts } from '@wardline/client/toasts/toasts';",
        'createToasts().add({ title: 1 });',
      ];
      writeFileSync(join(app, 'src', 'wrong.ts'), wrong.join('\n'));
      for (const args of isNightly ? [[], ['--module', 'nodenext', '--moduleResolution', 'nodenext']] : [[]]) {
        const { output } = await run(process.execPath, [join(compiler, 'bin', 'tsc'), '-p', app, ...args], {
          cwd: app,
        });
        // The types of laravel-echo 2.5 take pusher-js for a namespace under nodenext: not ours, and hidden by skipLibCheck.
        const errors = output.match(/^.*error TS.*$/gm).filter((line) => !line.includes('/laravel-echo/'));
        expect(errors).toEqual([expect.stringMatching(/^src\/wrong\.ts\(2,.*: error TS2322/)]);
      }
    },
  );
});

function isThere(file, name) {
  const path = join(dirname(file), name);
  return name.endsWith('.js') && files.includes(path) && files.includes(path.replace(/js$/, 'd.ts'));
}

/** An application of nobody's, with the package and what that names, and nothing of this repository else. */
function makeApp(name) {
  const app = join(folder, name);
  mkdirSync(join(app, 'src'), { recursive: true });
  mkdirSync(join(app, 'node_modules', '@wardline'), { recursive: true });
  cpSync(packed, join(app, 'node_modules', '@wardline', 'client'), { recursive: true });
  const require = createRequire(join(client, 'package.json'));
  for (const dependency of [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]) {
    const paths = require.resolve.paths(dependency).map((path) => join(path, dependency));
    const found = paths.find((path) => existsSync(path));
    mkdirSync(dirname(join(app, 'node_modules', dependency)), { recursive: true });
    symlinkSync(found, join(app, 'node_modules', dependency));
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ jsx: 'react-jsx', types: [], noEmit: true, verbatimModuleSyntax: true },
    ...strict,
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(app, 'src', 'examples.tsx'), asPacked(readFileSync(EXAMPLES, 'utf8')));
  const modules = files.filter((file) => /^dist\/.*\.js$/.test(file)).map((file) => file.slice(5, -3));
  const all = modules.map((file, index) => `export * as m${index} from '@wardline/client/${file}';`);
  writeFileSync(join(app, 'src', 'all.ts'), `${all.join('\n')}\n`);
  return app;
}
