import { USUAL_FORMAT } from '@wardline/format/facility-format.ts';
import { formatExact } from '@wardline/format/times.ts';
import type { KeptMail } from './mail-folder.ts';

/** Markup; texts get into it by `html` only, which escapes them. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function html(parts: TemplateStringsArray, ...values: (string | Markup | readonly Markup[])[]): Markup {
  const filled = parts.map((part, index) => part + textOf(values[index] ?? ''));
  return new Markup(filled.join(''));
}

function textOf(value: string | Markup | readonly Markup[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return value instanceof Markup ? value.text : value.map(textOf).join('');
}

const EXPLANATION = 'No email server is set, so emails are kept here. Only this machine can open this page.';

/** All kept mails, the newest first. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  const rows = mails.map(
    ({ id, subject, to, sentAt }) => html`<li><a class="row" href="/mailbox/${id}">
<span class="subject">${subject}</span><span class="to">${to}</span>${timeOf(sentAt)}</a></li>`,
  );
  const list = rows.length > 0 ? html`<ul class="card">${rows}</ul>` : html`<p class="card empty">No email yet.</p>`;
  return page('Emails', html`<h1>Emails</h1><p class="note">${EXPLANATION}</p>${list}`);
}

/** One mail. */
export function mailPage(mail: KeptMail): string {
  const fields: [name: string, value: string | Markup][] = [
    ['From', mail.from],
    ['To', mail.to],
  ];
  if (mail.replyTo !== null) fields.push(['Reply to', mail.replyTo]);
  fields.push(['Sent', timeOf(mail.sentAt)]);
  return page(
    mail.subject,
    html`<nav><a class="back" href="/mailbox">All emails</a></nav>
<article class="card mail"><h1>${mail.subject}</h1>
<dl>${fields.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<div class="text">${withLinks(mail.text)}</div></article>`,
  );
}

function page(title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<main>${content}</main>
</body>
</html>
`.text;
}

function timeOf(sentAt: string): Markup {
  return html`<time datetime="${sentAt}">${formatExact('UTC', Date.parse(sentAt), USUAL_FORMAT)}</time>`;
}

/** The text with its web addresses as links; what closes the sentence around an address is not part of it. */
function withLinks(text: string): Markup[] {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]])/).map((piece, index) => {
    return index % 2 === 0 ? html`${piece}` : html`<a href="${piece}" rel="noreferrer">${piece}</a>`;
  });
}
