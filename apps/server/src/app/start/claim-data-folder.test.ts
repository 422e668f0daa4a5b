import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { processBirth } from '#/platform/postgres/process-state.ts';
import { claimDataFolder } from './claim-data-folder.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'wardline-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('F-S7 a second server on the same data is refused by name, until the first has let go', async () => {
  const letGo = await claimDataFolder(dataDir);
  await expect(claimDataFolder(dataDir)).rejects.toThrow(
    `Another Wardline server (process ${process.pid}) uses the data folder ${dataDir}.`,
  );
  letGo();
  (await claimDataFolder(dataDir))();
});

it('F-S7 OPS-3 a server that was killed holds nobody up', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const owner = { pid: child.pid, birth: processBirth(child.pid ?? 0) };
  writeFileSync(path.join(dataDir, 'server.json'), JSON.stringify(owner));
  await expect(claimDataFolder(dataDir)).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  (await claimDataFolder(dataDir))();
});
