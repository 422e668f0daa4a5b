import { SystemWarning } from '@wardline/contract/facilities/system.ts';
import { Email } from '@wardline/contract/values.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatSystemWarning } from '@wardline/format/system-warnings.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { findSystemWarnings, type WarningDeps } from './list-system-warnings.ts';

export const WARNINGS_MAIL = 'system.warnings';

/** A warning that lasts is mailed again after so many days. */
const AGAIN_DAYS = 7;
/** One that comes and goes is mailed once in a day. */
const FORGOTTEN_HOURS = 24;

/** What a setting says or a visitor can bring about stands on the page alone; where mails reach nobody none is sent. */
const ON_PAGE_ALONE: ReadonlySet<SystemWarning['code']> = new Set([
  'unknown_proxy',
  'mail_kept',
  'no_security_contact',
]);

export interface WarningMailDeps extends WarningDeps {
  readonly operatorEmail: string | null;
}

/**
 * Puts a mail with all warnings into the queue where one of them is new, or has lasted for a week since it was mailed. To the operator's
 * address, else to each system administrator. Several servers look; the first one mails.
 */
export async function mailNewWarnings(deps: WarningMailDeps, db: Database): Promise<void> {
  if (deps.keepsMails) return;
  const warnings = (await findSystemWarnings(deps, db)).filter(({ code }) => !ON_PAGE_ALONE.has(code));
  await db.transaction().execute(async (tx) => {
    const codes = warnings.map(({ code }) => code);
    await sql`
      delete from mailed_warnings where code <> all(${codes}) and mailed_at < now() - make_interval(hours => ${FORGOTTEN_HOURS})`.execute(
      tx,
    );
    const { rows: due } = await sql`
      insert into mailed_warnings (code) select unnest(${codes}::text[])
      on conflict (code) do update set mailed_at = now() where mailed_warnings.mailed_at < now() - make_interval(days => ${AGAIN_DAYS})
      returning code`.execute(tx);
    if (due.length === 0) return;
    for (const to of await recipientsOf(deps, tx)) {
      await enqueueJob(tx, { kind: WARNINGS_MAIL, payload: { to, warnings } });
    }
  });
}

async function recipientsOf({ operatorEmail }: WarningMailDeps, tx: DatabaseTransaction): Promise<string[]> {
  if (operatorEmail !== null) return [operatorEmail];
  const operators = tx.selectFrom('users').select('email').where('is_operator', '=', true);
  const found = await operators.where('disabled_at', 'is', null).orderBy('id').execute();
  return found.map(({ email }) => email);
}

const Payload = z.object({ to: Email, warnings: z.array(SystemWarning) });

interface MailDeps {
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

/** The job that mails what is the matter. It names nobody, and nothing of a facility. */
export function mailWarnings({ mailer, productName, publicUrl }: MailDeps): JobHandler {
  return async (payload) => {
    const { to, warnings } = Payload.parse(payload);
    const [first, ...others] = warnings.map(formatSystemWarning);
    if (!first) return;
    const more = others.length > 0 ? ` And ${counted(others.length, 'other warning')}.` : '';
    const paragraphs = [
      ...[first, ...others].map(({ title, text }) => `${title}\n${text}`),
      `System administration has more: ${publicUrl()}/settings/system?part=health`,
      `You are told once of each warning, and again after ${AGAIN_DAYS} days while it lasts.`,
      productName,
    ];
    await mailer.send({ to, subject: `${productName}: ${first.title}${more}`, text: `${paragraphs.join('\n\n')}\n` });
  };
}
