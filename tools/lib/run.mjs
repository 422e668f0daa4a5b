import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inRoot, root } from './paths.mjs';

/**
 * Runs a program without a shell and resolves to { code, output }; never rejects for a failing program.
 * `echo`: show the output while it comes ('out'), with a prefix (any other text), or only collect it (default).
 */
export function run(program, args, { cwd = root, env = {}, echo = null, signal, asksTimes = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(asksTimes ? ['pipe'] : [])],
      signal,
    });
    let output = '';
    let times = '';
    child.stdio[3]?.setEncoding('utf8').on('data', (chunk) => {
      times += chunk;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk) => {
        output += chunk;
        if (echo === 'out') process.stdout.write(chunk);
      });
      if (echo && echo !== 'out') {
        createInterface(stream).on('line', (line) => process.stdout.write(`${echo} ${line}\n`));
      }
    }
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on('close', (code, killedBy) => resolve({ code: code ?? exitCodeOf(killedBy), output, times }));
  });
}

/**
 * As `run`, and resolves to the time of the clock and of the processors as well, in seconds: of the program and of all
 * that it started and waited for. Node cannot ask for that of a child; every shell can.
 */
export async function runTimed(program, args, options) {
  const startedAt = performance.now();
  const script = '"$@"; code=$?; times >&3; exit $code';
  const { code, output, times } = await run('/bin/sh', ['-c', script, 'sh', program, ...args], {
    ...options,
    asksTimes: true,
  });
  return { code, output, wallS: (performance.now() - startedAt) / 1000, cpuS: childrenCpu(times) };
}

/** The second line of what the shell's `times` says: user and system time of its children, as 1m2.34s. */
export function childrenCpu(times) {
  const [, children = ''] = times.split('\n');
  const found = [...children.matchAll(/(\d+)m([\d.,]+)s/g)];
  return found.reduce(
    (total, [, minutes, seconds]) => total + 60 * Number(minutes) + Number(seconds.replace(',', '.')),
    0,
  );
}

/** What a shell reports for a program ended by a signal. */
export const exitCodeOf = (signal) => 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0);

/** The command line of a tool from node_modules, run by the Node that runs this. */
export const local = (name) => [process.execPath, realpathSync(inRoot('node_modules', '.bin', name))];

export function runLocal(name, args, options) {
  const [node, script] = local(name);
  return run(node, [script, ...args], options);
}

/** npm as the user called it; from a plain `node tools/…` the one on the PATH. */
export function npmCommand() {
  const script = process.env.npm_execpath;
  return script && /npm-cli\.[cm]?js$/.test(script) ? [process.execPath, script] : ['npm'];
}
