import { Day, Email, Id, Instant } from '@wardline/contract/values.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { formatDay } from '@wardline/format/dates.ts';
import { formatExact } from '@wardline/format/times.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { findSignature } from './facility-day-queries.ts';

export const LOG_HEAD_MAIL = 'census.log_head';

/** The end of the log with a signature, as it leaves the house. */
const LogHeadMail = z.object({
  to: Email,
  facility_id: Id,
  census_date: Day,
  seq: z.int(),
  hash: z.string(),
  signed_by: Id,
  signed_at: Instant,
  is_again: z.boolean(),
});
type LogHeadMail = z.infer<typeof LogHeadMail>;

/** Where the log stood when a day was signed. */
export interface SignedHead {
  readonly date: string;
  readonly seq: number;
  readonly hash: string;
  readonly signedBy: string;
  readonly signedAt: Date;
  /** The day had been signed before. */
  readonly isAgain: boolean;
}

/** Queues the mails that carry the head outside, one for each address, in the transaction of the signature. */
export async function mailLogHead(
  tx: Transaction,
  { facility_id, log_head_emails }: Pick<FacilityConfig, 'facility_id' | 'log_head_emails'>,
  { date, seq, hash, signedBy, signedAt, isAgain }: SignedHead,
): Promise<void> {
  const head = { facility_id, census_date: date, seq, hash, signed_by: signedBy, is_again: isAgain };
  for (const to of log_head_emails) {
    const payload: LogHeadMail = { to, ...head, signed_at: signedAt.toISOString() };
    await enqueueJob(tx, { kind: LOG_HEAD_MAIL, payload });
  }
}

interface LogHeadMailDeps {
  readonly mailer: Mailer;
  readonly publicUrl: () => string;
  readonly productName: string;
}

/** The job that sends one of them. It holds no figure of the census and nothing of a patient. */
export function sendLogHeadMail({ mailer, publicUrl, productName }: LogHeadMailDeps): JobHandler {
  return async (payload, { db }) => {
    const head = LogHeadMail.parse(payload);
    const signature = await findSignature(db, { facilityId: head.facility_id, userId: head.signed_by });
    if (!signature) return;
    const { facility_name: facility, time_zone: zone, signer } = signature;
    const day = formatDay(head.census_date, signature.date_order);
    const entry = formatCount(head.seq);
    const range = new URLSearchParams({ from: head.census_date, to: head.census_date });
    const paragraphs = [
      `${signer} signed the census of ${facility} for ${day}${head.is_again ? ' again, after it was reopened' : ''}. Its census log ended here at that time:`,
      [
        `Facility: ${facility}`,
        `Census date: ${day}`,
        `Entry: ${entry}`,
        `Hash: ${head.hash}`,
        `Signed by: ${signer}`,
        `Signed at: ${formatExact(zone, Date.parse(head.signed_at), signature)} (${zone})`,
      ].join('\n'),
      'Keep this email. Someone who could rewrite the whole log could also recompute every hash, but could not change what is in your mailbox.',
      `To check the log, open it at these dates and unfold entry ${entry}. Its hash must begin with ${shortHash(head.hash)}, and the chain must verify without a break:`,
      `${publicUrl()}/census-logs?${range.toString()}`,
      'An export of the log as JSON lines has every hash in full. If it is another, the log was changed after the signature: tell whoever runs this installation.',
      productName,
    ];
    const again = head.is_again ? ', signed again' : '';
    await mailer.send({
      to: head.to,
      subject: `Census log of ${facility}, ${formatDay(head.census_date, signature.date_order, head.census_date)}${again}: entry ${entry}`,
      text: `${paragraphs.join('\n\n')}\n`,
    });
    await noteMailed(db, head);
  };
}

/** Only what was sent is outside. Of a day that was signed again meanwhile this is not the head any more. */
async function noteMailed(db: Database, { facility_id, census_date, seq }: LogHeadMail): Promise<void> {
  await sql`
    update facility_days d set log_mailed_seq = ${seq} from census_facilities c
    where c.facility_id = ${facility_id} and d.facility_no = c.facility_no and d.census_date = ${census_date}
      and d.log_seq = ${seq}`.execute(db);
}

/** As the log shows it: `c41e 09d2 7b3a`. */
function shortHash(hash: string): string {
  return hash.slice(0, 12).replaceAll(/(.{4})(?=.)/g, '$1 ');
}
