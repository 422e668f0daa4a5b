import type { Invitation } from '@wardline/contract/facilities/invitations.ts';
import type { BadgeTone } from '@wardline/ui/mark/badge.tsx';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';

/** How an invitation stands, in a word or three. */
export const formatState: Readonly<Record<Invitation['state'], { word: string; tone: BadgeTone }>> = {
  open: { word: 'Open', tone: 'primary' },
  waiting: { word: 'Waiting for email', tone: 'primary' },
  used: { word: 'Used', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'neutral' },
  expired: { word: 'Expired', tone: 'neutral' },
};

/** Whom it is for, as well as that is known. */
export function invitationTitle({ note, title, email }: Pick<Invitation, 'note' | 'title' | 'email'>): string {
  return note ?? title ?? email ?? 'Someone';
}

/** What it gives, who made it and how long it lasts. */
export function invitationDetails(invitation: Invitation, now: number): string {
  const { note, title, email, roles, created_by_name, expires_at, state } = invitation;
  return [
    ...(note !== null && title !== null ? [title] : []),
    ...(email && (note ?? title) !== null ? [email] : []),
    roles.length === 0 ? 'no role' : roles.join(', '),
    `by ${created_by_name}`,
    ...(state === 'open' || state === 'waiting' ? [`until ${day(expires_at, now)}`] : []),
  ].join(' · ');
}

/** The day of an instant by the clock of this device. */
export function day(instant: string, now: number): string {
  const zone = deviceZone();
  return formatDay(dayIn(zone, Date.parse(instant)), dayIn(zone, now));
}

/** The link that is handed to the person. */
export function invitationLink(origin: string, token: string): string {
  return `${origin}/sign-up?invitation=${token}`;
}
