import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import type { Sender } from '#/platform/config/mail-address.ts';
import { isLoopback } from '#/platform/config/read-config.ts';
import { type Mailer, messageOf } from './mailer.ts';

const SEND_TIMEOUT_MS = 60_000;

/**
 * Sends by the mail server of an address such as `smtps://user:password@mail.hospital.example`. TLS is verified against
 * the system's authorities; without TLS a mail goes to this machine only, since it can carry a link that opens an account.
 */
export function createSmtpMailer({ url, from }: { readonly url: string; readonly from: Sender }): Mailer {
  const options = connectionOf(url);
  const transport = createTransport(options);
  return {
    description: `SMTP at ${options.host}:${options.port}`,
    async send(mail) {
      await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    },
  };
}

/** Connects to the mail server and signs in, and sends nothing. Throws where that cannot be done. */
export async function checkMailServer(url: string): Promise<void> {
  const transport = createTransport(connectionOf(url));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function connectionOf(text: string): SMTPTransportOptions {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isLoopback(host),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    ...(auth.user !== '' && { auth }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 30_000,
  };
}
