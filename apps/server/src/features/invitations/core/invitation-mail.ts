import type { Mail, Mailer } from '#/platform/mail/mailer.ts';

export interface InvitationMailDeps {
  readonly mailer: Mailer;
  readonly publicUrl: () => string;
  readonly productName: string;
}

interface Inviting {
  readonly secret: string;
  readonly subject: string;
  /** The sentence before the link. */
  readonly begin: string;
}

/** A mail with the link by which one person joins. */
export function invitationMail(
  { publicUrl, productName }: Omit<InvitationMailDeps, 'mailer'>,
  { secret, subject, begin }: Inviting,
): Pick<Mail, 'subject' | 'text'> {
  const paragraphs = [
    begin,
    `${publicUrl()}/sign-up?${new URLSearchParams({ invitation: secret }).toString()}`,
    'The link is good for 7 days and for one person. If you do not expect it, do nothing.',
    productName,
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}
