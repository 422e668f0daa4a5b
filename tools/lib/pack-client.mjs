import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRoot } from './paths.mjs';
import { npmCommand, run, runLocal } from './run.mjs';

const IMPORT = /(\bfrom |\bimport )'([^']+)'|(\bimport\()'([^']+)'(?=\))/g;
/** The examples of the document, which are compiled with the package. */
export const EXAMPLES = inRoot('packages', 'client', 'src', 'testing', 'examples.tsx');
const NOT_PACKED = /(^|\/)testing\/|\.test\.tsx?$/;

/**
 * Packs packages/client for other applications into a tarball in `folder`, and resolves to its path: built modules with
 * their types, and the contract in it, since the name of that package is nobody's on the registry (decision 021). Inside
 * the repository the package is its sources. Rejects with what the compiler or npm said.
 */
export async function packClient(folder) {
  mkdirSync(folder, { recursive: true });
  // Beside the package's own node_modules, where the compiler finds what it imports.
  const dist = inRoot('packages', 'client', 'dist');
  mkdirSync(dist, { recursive: true });
  const stage = mkdtempSync(join(dist, 'pack-'));
  try {
    writeSources(join(stage, 'src'));
    writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(tsconfig()));
    await succeed(runLocal('tsc', ['-p', stage]));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    writeFileSync(join(stage, 'README.md'), readme());
    cpSync(inRoot('LICENSE'), join(stage, 'LICENSE'));
    const [npm, ...first] = npmCommand();
    const said = await succeed(run(npm, [...first, 'pack', '--json', `--pack-destination=${folder}`], { cwd: stage }));
    // npm may print warnings before the list.
    const [{ filename }] = JSON.parse(said.slice(said.search(/^\[/m), said.lastIndexOf(']') + 1));
    return join(folder, filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function writeSources(target) {
  for (const [from, under] of [
    [inRoot('packages', 'client', 'src'), ''],
    [inRoot('packages', 'contract', 'src'), 'contract'],
  ]) {
    for (const name of readdirSync(from, { recursive: true })) {
      const file = name.replaceAll('\\', '/');
      if (!/\.tsx?$/.test(file) || NOT_PACKED.test(file)) continue;
      const path = join(target, under, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, withRelativeImports(readFileSync(join(from, file), 'utf8'), join(under, file), under));
    }
  }
}

/** Every import of ours as a path with the ending of what is built. */
function withRelativeImports(source, file, under) {
  const between = (to) => {
    const path = relative(dirname(file), to).replaceAll('\\', '/');
    return path.startsWith('.') ? path : `./${path}`;
  };
  return source.replace(IMPORT, (_whole, before, named, call, asked) => {
    const specifier = (named ?? asked)
      .replace(/^#\/(.*)$/, (_all, to) => between(join(under, to)))
      .replace(/^@wardline\/contract\/(.*)$/, (_all, to) => between(join('contract', to)))
      .replace(/^(\.{1,2}\/.*)\.tsx?$/, '$1.js');
    return `${before ?? call}'${specifier}'`;
  });
}

function tsconfig() {
  return {
    extends: inRoot('tsconfig.base.json'),
    compilerOptions: {
      target: 'es2022',
      lib: ['es2024', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      ...{ noEmit: false, incremental: false, declaration: true, allowImportingTsExtensions: false },
      ...{ rootDir: 'src', outDir: 'dist' },
    },
    include: ['src'],
  };
}

function manifest() {
  const { name, version, description, type, license, sideEffects, dependencies, ...own } = JSON.parse(
    readFileSync(inRoot('packages', 'client', 'package.json'), 'utf8'),
  );
  const { peerDependencies, peerDependenciesMeta } = own;
  return {
    ...{ name, version, description, type, license, sideEffects },
    exports: { './*': { types: './dist/*.d.ts', default: './dist/*.js' }, './package.json': './package.json' },
    files: ['dist'],
    ...{ dependencies, peerDependencies, peerDependenciesMeta },
  };
}

/** The document of the package, with the names that its files have in another application, and what its examples import. */
function readme() {
  const document = readFileSync(inRoot('docs', 'client-package.md'), 'utf8');
  const named = document.replace(/^# .*/, '# @wardline/client').replaceAll('`packages/client`', '`@wardline/client`');
  const text = named.replace(
    /`packages\/(client|contract)\/src\/([\w/-]+?)(\.tsx?)?`/g,
    (_whole, which, path) => `\`${packedName(which === 'contract' ? `@wardline/contract/${path}` : `#/${path}`)}\``,
  );
  const imports = asPacked(readFileSync(EXAMPLES, 'utf8')).match(/^import .*;$/gm) ?? [];
  return [text.trimEnd(), '', '## What these examples import', '```tsx', ...imports, '```', ''].join('\n');
}

/** A source of ours as another application would write it. */
export function asPacked(source) {
  return source.replace(
    /'((?:#|@wardline\/(?:client|contract))\/[^']+)'/g,
    (_whole, specifier) => `'${packedName(specifier)}'`,
  );
}

/** How another application names a file of ours: `#/http/call.ts` → `@wardline/client/http/call`. */
function packedName(specifier) {
  const name = specifier
    .replace(/^(#|@wardline\/client)\//, '')
    .replace(/^@wardline\/contract\//, 'contract/')
    .replace(/\.tsx?$/, '');
  return `@wardline/client/${name}`;
}

async function succeed(running) {
  const { code, output } = await running;
  if (code !== 0) throw new Error(output);
  return output;
}
