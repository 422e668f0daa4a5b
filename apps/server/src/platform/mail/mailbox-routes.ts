import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFromHere } from '#/platform/http/binding/from-here.ts';
import type { MailFolder } from './mail-folder.ts';
import { mailboxPage, mailPage } from './mailbox-page.ts';
import { MAILBOX_STYLE } from './mailbox-style.ts';

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Shows the mails that were kept because no mail server is set. They open accounts, so only a browser on this machine
 * is shown them; to all others the addresses do not exist. To be bound only where the server listens on the loopback.
 */
export function addMailboxRoutes(app: FastifyInstance, mails: MailFolder): void {
  const show = (reply: FastifyReply, text: string) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(text);

  app.get('/mailbox', async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound();
    return show(reply, mailboxPage(await mails.list()));
  });

  app.get<{ Params: { id: string } }>('/mailbox/:id', async (request, reply) => {
    const mail = isFromHere(request) ? await mails.read(request.params.id) : null;
    if (mail === null) return reply.callNotFound();
    return show(reply, mailPage(mail));
  });

  app.get('/mailbox.css', async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound();
    return reply.type('text/css; charset=utf-8').send(MAILBOX_STYLE);
  });
}
