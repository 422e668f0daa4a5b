import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Sender } from '#/platform/config/mail-address.ts';
import { newId } from '#/platform/new-id.ts';
import { type Mailer, messageOf } from './mailer.ts';

/** A mail that was kept instead of sent. */
export interface KeptMail {
  readonly id: string;
  readonly sentAt: string;
  readonly from: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
}

export interface MailFolder extends Mailer {
  /** The newest first. */
  list(): Promise<KeptMail[]>;
  read(id: string): Promise<KeptMail | null>;
}

interface FolderOptions {
  readonly folder: string;
  readonly from: Sender;
  /** How many mails are kept; the oldest go first. */
  readonly capacity?: number;
}

const DETAILS_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;

/**
 * Keeps mails in a folder that only this user may read: each as it would go out (`.eml`, for any mail program) and as
 * the few facts that the mailbox page shows (`.json`). Ids sort by time.
 */
export function createMailFolder({ folder, from, capacity = 500 }: FolderOptions): MailFolder {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const place = (id: string, ending: string) => path.join(folder, `${id}${ending}`);

  async function newestIds(): Promise<string[]> {
    const names = await readdir(folder).catch(() => []);
    const ids = names.flatMap((name) => DETAILS_FILE.exec(name)?.[1] ?? []);
    return ids.sort().reverse();
  }

  async function read(id: string): Promise<KeptMail | null> {
    if (!DETAILS_FILE.test(`${id}.json`)) return null;
    const text = await readFile(place(id, '.json'), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as KeptMail);
  }

  return {
    description: `kept in ${folder}`,
    async send(mail) {
      const { message } = await composer.sendMail(messageOf(mail, from));
      const details: KeptMail = {
        id: newId(),
        sentAt: new Date().toISOString(),
        from: from.name === '' ? from.address : `${from.name} <${from.address}>`,
        to: mail.to,
        replyTo: mail.replyTo ?? null,
        subject: mail.subject,
        text: mail.text,
      };
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(place(details.id, '.eml'), message as Buffer, { mode: 0o600 });
      // Under its name only when it is whole: who lists the folder meanwhile must not read half of it.
      const draft = place(details.id, '.draft');
      await writeFile(draft, JSON.stringify(details), { mode: 0o600 });
      await rename(draft, place(details.id, '.json'));
      for (const old of (await newestIds()).slice(capacity)) {
        for (const ending of ['.json', '.eml']) await rm(place(old, ending), { force: true });
      }
    },
    async list() {
      const found = await Promise.all((await newestIds()).map(read));
      return found.filter((mail) => mail !== null);
    },
    read,
  };
}
