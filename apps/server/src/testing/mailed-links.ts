import { expect } from 'vitest';
import { createLinks } from '#/features/auth/account/links.ts';
import type { Mail } from '#/platform/mail/mailer.ts';
import { TEST_APP_KEY, type TestServer } from './test-server.ts';

/** Runs the jobs and gives what they mailed to an address, the oldest first. */
export async function mailsTo(server: TestServer, email: string): Promise<Mail[]> {
  await server.runJobs();
  return server.mails.filter((mail) => mail.to === email);
}

/** The one link of the newest mail to an address: where it leads, and what a browser would ask for. */
export async function linkMailedTo(server: TestServer, email: string): Promise<{ origin: string; path: string }> {
  const mail = (await mailsTo(server, email)).at(-1);
  const found = mail?.text.match(/https?:\S+/g) ?? [];
  expect(found).toHaveLength(1);
  const { origin, pathname, search } = new URL(found[0] ?? '');
  return { origin, path: pathname + search };
}

const links = createLinks(Buffer.from(TEST_APP_KEY), () => 'http://wardline.test');

/** The link to /verify-email as the mail of a test server has it. */
export function verifyLinkOf(claims: { readonly id: string; readonly email: string; readonly expiresAt: Date }): URL {
  return new URL(links.verifyEmail(claims));
}
