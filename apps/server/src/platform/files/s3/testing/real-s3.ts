import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import { freePort } from '#/platform/postgres/server-process.ts';
import { signRequest } from '../sign-request.ts';

const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
const START_LIMIT_MS = 60_000;

/** Whether this machine has Ceph, whose gateway speaks S3: on Debian the packages ceph-mon, ceph-osd, ceph-common and radosgw. */
export function hasCeph(): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return PROGRAMS.every((program) => folders.some((folder) => existsSync(path.join(folder, program))));
}

export interface RealS3 {
  /** Of an empty bucket. */
  readonly settings: S3Settings;
  close(): Promise<void>;
}

/** The least of Ceph that stores: one monitor, one storage daemon that keeps everything in memory, one gateway. Takes some ten seconds. */
export async function startRealS3(): Promise<RealS3> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ceph-'));
  const running: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    running.push(spawn(program, ['-c', path.join(folder, 'ceph.conf'), ...args, '-f'], { stdio: 'ignore' }));
  };
  const run = (program: string, ...args: string[]) =>
    untilDone(spawn(program, ['-c', path.join(folder, 'ceph.conf'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));
  const close = async (): Promise<void> => {
    for (const child of running.reverse()) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
    const cluster = { folder, id: randomUUID(), monitor: `v1:127.0.0.1:${monitorPort}`, gatewayPort };
    const key = { accessKeyId: 'AKIDCEPH', secretAccessKey: randomBytes(20).toString('hex'), region: 'us-east-1' };
    await writeFile(path.join(folder, 'ceph.conf'), configurationOf(cluster));
    for (const name of ['monitor', 'storage', 'gateway']) await mkdir(path.join(folder, name));
    const map = path.join(folder, 'monmap');
    await run('monmaptool', '--create', '--fsid', cluster.id, '--addv', 'a', `[${cluster.monitor}]`, map);
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
    start('ceph-mon', '-i', 'a');
    const storage = randomUUID();
    await run('ceph', 'osd', 'new', storage);
    await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', storage);
    start('ceph-osd', '-i', '0');
    const user = ['--uid=wardline', '--display-name=wardline'];
    const keys = [`--access-key=${key.accessKeyId}`, `--secret-key=${key.secretAccessKey}`];
    await run('radosgw-admin', 'user', 'create', ...user, ...keys);
    start('radosgw', '-n', 'client.gateway');
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    await untilAnswered(endpoint);
    const settings = { ...key, endpoint, bucket: 'ward-files', pathStyle: true, prefix: 'ours/' };
    await makeBucket(settings);
    return { settings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Cluster {
  readonly folder: string;
  readonly id: string;
  readonly monitor: string;
  readonly gatewayPort: number;
}

function configurationOf({ folder, id, monitor, gatewayPort }: Cluster): string {
  const settings = {
    fsid: id,
    'mon host': monitor,
    'public addr': '127.0.0.1',
    'ms bind msgr2': 'false',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'mon allow pool size one': 'true',
    'osd pool default size': '1',
    'osd pool default min size': '1',
    'osd pool default pg num': '1',
    'osd pool default pgp num': '1',
    'osd crush chooseleaf type': '0',
    'osd objectstore': 'memstore',
    // Where the monitor has only just begun, the daemon would end itself about its class.
    'osd class update on start': 'false',
    'run dir': folder,
    keyring: path.join(folder, 'keyring'),
    'admin socket': path.join(folder, '$name.sock'),
    'pid file': path.join(folder, '$name.pid'),
    'log file': path.join(folder, '$name.log'),
    'mon data': path.join(folder, 'monitor'),
    'osd data': path.join(folder, 'storage'),
    'rgw data': path.join(folder, 'gateway'),
    'rgw frontends': `beast endpoint=127.0.0.1:${gatewayPort}`,
    'rgw thread pool size': '32',
  };
  return ['[global]', ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`), ''].join('\n');
}

async function untilDone(child: ChildProcess): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      said += text.toString();
    });
  }
  const late = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(late);
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${said}`);
}

async function untilAnswered(endpoint: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const reply = await fetch(endpoint).catch(() => null);
    if (reply?.ok) return;
    await wait(200);
  }
  throw new Error('the gateway does not answer');
}

async function makeBucket({ endpoint, bucket, ...credentials }: S3Settings): Promise<void> {
  const url = new URL(`/${bucket}`, endpoint);
  const sha256 = createHash('sha256').digest('hex');
  const headers = await signRequest({ method: 'PUT', url, headers: {}, sha256 }, credentials);
  const reply = await fetch(url, { method: 'PUT', headers });
  if (!reply.ok) throw new Error(`the bucket was refused with ${reply.status}: ${await reply.text()}`);
}
