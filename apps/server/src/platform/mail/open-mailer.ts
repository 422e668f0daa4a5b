import path from 'node:path';
import { type Config, isLoopback } from '#/platform/config/read-config.ts';
import { createMailFolder, type MailFolder } from './mail-folder.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

export interface MailDeps {
  readonly mailer: Mailer;
  /** Whether mails are kept in a folder of this machine and reach nobody. */
  readonly keepsMails: boolean;
  /** The kept mails, where a page may show them; null everywhere else. */
  readonly mailbox: MailFolder | null;
  /** Where messages to the operator go; null where nobody would ever read them. */
  readonly operatorEmail: string | null;
}

type MailSettings = Pick<
  Config,
  'mailUrl' | 'mailFrom' | 'operatorEmail' | 'contactEmail' | 'productName' | 'dataDir' | 'host' | 'publicUrl'
>;

/** The mail server of the settings; without one a folder, which a page shows where only this machine can reach it. */
export function openMailer(settings: MailSettings): MailDeps {
  const from = settings.mailFrom ?? { name: settings.productName, address: 'wardline@localhost' };
  const operatorEmail = settings.operatorEmail ?? settings.contactEmail;
  if (settings.mailUrl !== null) {
    const mailer = createSmtpMailer({ url: settings.mailUrl, from });
    return { mailer, keepsMails: false, mailbox: null, operatorEmail };
  }
  const folder = createMailFolder({ folder: path.join(settings.dataDir, 'mail'), from });
  // A public address means that a proxy stands before the loopback.
  const isForThisMachine = isLoopback(settings.host) && settings.publicUrl === null;
  if (!isForThisMachine) return { mailer: folder, keepsMails: true, mailbox: null, operatorEmail: null };
  return {
    mailer: folder,
    keepsMails: true,
    mailbox: folder,
    operatorEmail: operatorEmail ?? 'operator@localhost',
  };
}
