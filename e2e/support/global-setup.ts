import { rm } from 'node:fs/promises';
import { offerDemoData } from './servers/demo-data.ts';
import { startWardline } from './servers/wardline-process.ts';

/** The demo hospital with its two years of census is made once; each journey's server starts on a copy. */
export default async function setUp(): Promise<() => Promise<void>> {
  const first = await startWardline();
  await first.halt();
  offerDemoData(first.dataDir);
  return () => rm(first.dataDir, { recursive: true, force: true });
}
