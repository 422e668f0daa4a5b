/** Where RFC 9116 has it. */
export const SECURITY_TXT = '/.well-known/security.txt';

/** Shorter than the year that RFC 9116 advises: a copy that somebody kept of a server that is gone ends soon. */
const VALID_DAYS = 90;

interface Given {
  /** Where a weakness is told: `mailto:`, `https:` or `tel:`. */
  readonly contact: string;
  /** The origin people use; null where it is not known. */
  readonly publicUrl: string | null;
}

/** What tells finders of a weakness whom to write to, as RFC 9116 has it; good for 90 days from `now`. */
export function formatSecurityTxt({ contact, publicUrl }: Given, now: Date): string {
  const expires = new Date(now);
  expires.setUTCDate(expires.getUTCDate() + VALID_DAYS);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${SECURITY_TXT}`]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}
