import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { WardlineProcess } from './wardline-process.ts';

export interface KeptMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mails that a server without a mail server has kept for this address, the oldest first. */
export async function mailsTo({ dataDir }: Pick<WardlineProcess, 'dataDir'>, address: string): Promise<KeptMail[]> {
  const folder = path.join(dataDir, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const mails = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as KeptMail),
  );
  return mails.filter(({ to }) => to === address);
}

/** Waits for the next mail to this address beyond the `known` ones, and gives the first link in it. */
export async function linkMailedTo(server: WardlineProcess, address: string, known = 0): Promise<string> {
  let mails: KeptMail[] = [];
  await expect(async () => {
    mails = await mailsTo(server, address);
    expect(mails.length).toBeGreaterThan(known);
  }).toPass({ timeout: 20_000 });
  const link = /https?:\/\/\S+/.exec(mails[known]?.text ?? '')?.[0];
  if (link === undefined) throw new Error(`There is no link in the mail ${mails[known]?.subject}.`);
  return link;
}
