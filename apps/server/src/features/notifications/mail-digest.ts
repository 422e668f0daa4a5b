import type { Notify } from '@wardline/contract/chat/chat.ts';
import { decideNotification } from '@wardline/contract/chat/decide-notification.ts';
import { Id, Instant } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mail, Mailer } from '#/platform/mail/mailer.ts';
import { takeTurn } from './digest-queries.ts';
import { CHOICE_KINDS, type ChoiceRow, choiceColumns, quietColumns, toPerson } from './settings-queries.ts';

export const DIGEST_MAIL_JOB = 'notifications.digest_mail';

const OfUser = z.object({ user_id: Id });
const OfMail = z.object({ user_id: Id, since: Instant });

/** The job whose time has come: takes the turn, from which one mail follows. */
export const makeDigest: JobHandler = async (payload, context) => {
  const { user_id } = OfUser.parse(payload);
  await createJobWrite(context)('notifications.digest', async (tx) => {
    const turn = await takeTurn(tx, user_id);
    if (turn) {
      await enqueueJob(tx, { kind: DIGEST_MAIL_JOB, payload: { user_id, since: turn.since.toISOString() } });
    }
    // Nothing of anybody changes by it.
    return { result: undefined, audit: null };
  });
};

export interface DigestDeps {
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

/** The job that mails it: how much is unread and where, no names and no text. Nothing new, no mail. */
export function mailDigest({ mailer, productName, publicUrl }: DigestDeps): JobHandler {
  return async (payload, { db }) => {
    const { user_id, since } = OfMail.parse(payload);
    const found = await unread.read(db, unreadQuery(user_id, since));
    const told = found.filter((row) => decideNotification(toContext(row)).digest);
    const [first] = told;
    if (first && told.some(({ is_new }) => is_new)) {
      await mailer.send({ to: first.email, ...writeDigest(told, { productName, link: `${publicUrl()}/chats` }) });
    }
  };
}

interface UnreadRow extends ChoiceRow {
  readonly email: string;
  readonly facility_id: string;
  readonly facility_name: string;
  readonly unread: number;
  readonly is_mentioned: boolean;
  readonly notify: Notify;
  readonly is_muted: boolean;
  readonly sound: boolean;
  /** Something was said there since the digest before. */
  readonly is_new: boolean;
}

const unread = typedRows<UnreadRow>({
  email: 'string',
  facility_id: 'string',
  facility_name: 'string',
  unread: 'number',
  is_mentioned: 'boolean',
  notify: 'string',
  is_muted: 'boolean',
  sound: 'boolean',
  is_new: 'boolean',
  ...CHOICE_KINDS,
});

/** Counted as the list of chats counts, by who may read now. */
function unreadQuery(userId: string, since: string) {
  return sql`
    select u.email, f.id as facility_id, f.name as facility_name,
      greatest(0, c.head_seq - greatest(p.read_seq, p.joined_seq) - p.own_after_read)::int as unread,
      p.mention_seq > p.read_seq as is_mentioned, p.notify, coalesce(p.muted_until > now(), false) as is_muted, p.sound,
      c.updated_at > ${since}::timestamptz as is_new, ${choiceColumns}, ${quietColumns(sql`p.user_id`)}
    from active_participants p
    join chats c on c.id = p.chat_id
    join facilities f on f.id = c.facility_id and f.deactivated_at is null
    join users u on u.id = p.user_id and u.disabled_at is null and u.email_verified_at is not null
    join notification_settings s on s.user_id = p.user_id and s.mail_digest <> 'off'
    where p.user_id = ${userId} and c.head_seq - greatest(p.read_seq, p.joined_seq) - p.own_after_read > 0
    order by f.name collate "und-x-icu", f.id`;
}

function toContext(row: UnreadRow) {
  const { notify, is_muted: isMuted, sound: hasSound } = row;
  const chat = { notify, isMuted, hasSound };
  return { priority: 'routine', isMentioned: row.is_mentioned, chat, person: toPerson(row) } as const;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

function writeDigest(
  rows: readonly UnreadRow[],
  { productName, link }: { readonly productName: string; readonly link: string },
): Pick<Mail, 'subject' | 'text'> {
  const total = rows.reduce((sum, row) => sum + row.unread, 0);
  const facilities = [...new Set(rows.map((row) => row.facility_id))];
  const lines = facilities.map((id) => {
    const chats = rows.filter((row) => row.facility_id === id);
    const messages = chats.reduce((sum, row) => sum + row.unread, 0);
    const mentions = chats.filter((row) => row.is_mentioned).length;
    const called = mentions > 0 ? `; ${count(mentions, 'chat')} mention${mentions === 1 ? 's' : ''} you` : '';
    return `${chats[0]?.facility_name}: ${count(messages, 'unread message')} in ${count(chats.length, 'chat')}${called}`;
  });
  return {
    subject: `${count(total, 'unread message')} in ${productName}`,
    text: [
      ...lines,
      '',
      `Read them: ${link}`,
      '',
      'You asked for this digest. Change it, or turn it off, in Settings under Notifications.',
      '',
      productName,
      '',
    ].join('\n'),
  };
}
