import type { SendMailOptions } from 'nodemailer';
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

export interface Sender {
  readonly name: string;
  readonly address: string;
}

const SPECIALS = String.raw`\s\p{C}@<>()[\]\\,;:"`;
const BARE_ADDRESS = new RegExp(`^[^${SPECIALS}]{1,64}@[^${SPECIALS}]{1,253}$`, 'u');

/** True for exactly one address without name, quotes, comment or anything else that a mail server could read as two. */
export function isBareAddress(text: string): boolean {
  return BARE_ADDRESS.test(text);
}

/** `address` or `Name <address>`; null for anything else. */
export function readSender(text: string): Sender | null {
  const [, name = '', inside] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const sender = { name: name.trim(), address: inside ?? text };
  return isBareAddress(sender.address) ? sender : null;
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
