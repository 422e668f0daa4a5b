import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '#/platform/config/read-config.ts';
import { asksForHelp, findCommand, readServerFlags, sayUsage } from './run-command.ts';

const END = `7:${'a'.repeat(64)}`;

it.each(['accounts', 'audit', 'backup', 'database', 'doctor', 'files', 'records', 'restore'])(
  'OPS-8 %s --help says how it is used',
  async (name) => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await findCommand(name)?.(['--help'])).toBe(0);
    expect(said.mock.calls.join('')).toContain(`npm run ${name} -- `);
    said.mockRestore();
  },
);

it.each([
  ['accounts', [], 'Say what to do.'],
  ['accounts', ['reset-second-factors'], 'Whose?'],
  ['accounts', ['reset-second-factors', 'a@b', 'c@d'], "'c@d' is not understood here."],
  ['audit', ['verfy'], "There is no command 'verfy'."],
  ['audit', ['verify', '--head', 'abc'], "'abc' is no end of an audit"],
  ['audit', ['verify', END], `'${END}' is not understood here.`],
  ['backup', [], 'Say first where the backup goes.'],
  ['backup', ['/tmp', '--keep'], '--keep needs how many'],
  ['backup', ['/tmp', '--keep', '0'], '--keep needs how many'],
  ['backup', ['/nowhere/at-all', '--keep', '3'], '--keep needs a folder, and /nowhere/at-all is none.'],
  ['backup', ['/tmp', '--all'], "'--all' is not understood here."],
  ['database', ['copy'], "There is no command 'copy'."],
  ['database', ['move', 'x'], "'x' is not understood here."],
  ['doctor', ['--al'], "'--al' is not understood here."],
  ['files', ['move'], "There is no command 'move'."],
  ['records', ['verify'], 'Say which file.'],
  ['records', ['verify', 'x', '--key'], '--key needs the public key.'],
  ['restore', ['--check'], 'Say first which file.'],
  ['restore', ['x', '--chek'], "'--chek' is not understood here."],
] as const)('OPS-8 %s %j says what is wrong over how it is used', async (name, args, wrong) => {
  const refused = await Promise.resolve(findCommand(name)?.(args)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toContain(wrong);
  expect(String(refused)).toContain(`npm run ${name} -- `);
});

describe('with settings that name no installation', () => {
  afterEach(() => vi.unstubAllEnvs());
  const run = (...[name = '', ...args]: string[]) => findCommand(name)?.(args);

  it.each([
    ['accounts', 'reset-second-factors', 'a@b'],
    ['audit', 'verify'],
    ['backup', tmpdir()],
  ])('OPS-8 %s makes no database of its own', async (...command) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wardline-wrong-'));
    vi.stubEnv('WARDLINE_DATA', path.join(folder, 'data'));
    await expect(run(...command)).rejects.toThrow(/holds no database, and DATABASE_URL is not set.\nRun this with/);
    expect(readdirSync(folder)).toEqual([]);
    vi.stubEnv('DATABASE_URL', 'postgres://nobody:nothing@127.0.0.1:1/none');
    await expect(run(...command)).rejects.toThrow('The database cannot be reached: connect ECONNREFUSED');
    rmSync(folder, { recursive: true });
  });

  it('OPS-8 a backup goes into no folder that is missing, and not into the data folder by way of a link', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wardline-wrong-'));
    mkdirSync(path.join(folder, 'data/files'), { recursive: true });
    symlinkSync(path.join(folder, 'data'), path.join(folder, 'link'));
    vi.stubEnv('WARDLINE_DATA', path.join(folder, 'data'));
    await expect(run('backup', `${folder}/backups/`)).rejects.toThrow(`There is no folder ${folder}/backups.`);
    await expect(run('backup', `${folder}/link/files`)).rejects.toThrow('lies in the data folder');
    await expect(run('backup', `${folder}/data/..x`)).rejects.toThrow('lies in the data folder');
    rmSync(folder, { recursive: true });
  });
});

it('ADM-4 an exported record that cannot be read is said in words', async () => {
  await expect(findCommand('records')?.(['verify', '/nope'])).rejects.toThrow('/nope cannot be read (ENOENT).');
});

it('OPS-8 what names no command is none', () => {
  expect(findCommand('--demo')).toBeUndefined();
  expect(findCommand('constructor')).toBeUndefined();
});

describe('the server', () => {
  it.each([
    [[], { isDemo: false, isApiOnly: false }],
    [['--demo'], { isDemo: true, isApiOnly: false }],
    [['--api-only'], { isDemo: false, isApiOnly: true }],
  ] as const)('OPS-8 is started by %j', (args, flags) => {
    expect(readServerFlags(args)).toEqual(flags);
  });

  it.each(['bakcup', '--dmeo', 'constructor'])('OPS-8 is not started by %s, which no command is called', (arg) => {
    expect(() => readServerFlags(['--demo', arg])).toThrow(ConfigError);
    expect(() => readServerFlags([arg])).toThrow(`'${arg}' is not understood here.`);
    expect(() => readServerFlags([arg])).toThrow('npm run restore -- ');
  });

  it('OPS-8 says how it and each command are used where somebody asks', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect([asksForHelp(['--demo', '--help']), asksForHelp(['-h']), asksForHelp(['--demo'])]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await sayUsage()).toBe(0);
    for (const way of ['npm start', 'npm run serve', 'npm run accounts -- ', 'npm run restore -- ']) {
      expect(said.mock.calls.join('')).toContain(way);
    }
    said.mockRestore();
  });
});
