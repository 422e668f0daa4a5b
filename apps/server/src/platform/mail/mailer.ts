import type { SendMailOptions } from 'nodemailer';
import { isBareAddress, type Sender } from '#/platform/config/mail-address.ts';
import { JobFailure } from '#/platform/jobs/describe-failure.ts';

export interface Mail {
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end with \n. */
  readonly text: string;
  /** One bare address, where answers go somewhere else than to the sender. */
  readonly replyTo?: string;
}

/** The way out for mail. */
export interface Mailer {
  /** Resolves when the mail was handed over; throws when it was not, and may then be called again. */
  send(mail: Mail): Promise<void>;
  /** Where the mail goes, for the operator; names no secret. */
  readonly description: string;
}

/**
 * A mail as nodemailer takes it. Addresses are handed over as objects, which it does not parse; line breaks in a
 * subject become spaces.
 */
export function messageOf({ to, subject, text, replyTo }: Mail, from: Sender): SendMailOptions {
  if (!isBareAddress(to)) throw new JobFailure('the address of a mail is not one bare address');
  return {
    from: { ...from },
    to: { name: '', address: to },
    ...(replyTo !== undefined && isBareAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
