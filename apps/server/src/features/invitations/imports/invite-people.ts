import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { readGiving } from '#/features/invitations/core/givable-roles.ts';
import { hashOfNobody, insertInvitation } from '#/features/invitations/core/insert-invitation.ts';
import { findKnown, KNOWN_TEXTS } from '#/features/invitations/core/queries.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Change, Transaction } from '#/platform/http/context.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { IMPORT_MAIL_JOB } from './mail-invitation.ts';

export const INVITE_JOB = 'invitations.import';

const OfImport = z.object({ import_id: Id });

/** Between two mails of one facility: a mail server takes so many strangers for no flood. */
const BETWEEN_MAILS_S = 1;

/**
 * The job that invites the people of a file, each in a transaction of their own. Killed in the middle, it goes on with who still
 * waits: nobody is invited twice, and nobody is left out.
 */
export const invitePeople: JobHandler = async (payload, context) => {
  const { import_id: importId } = OfImport.parse(payload);
  const write = createJobWrite(context);
  while (await write('invitation.create', (tx) => inviteNext(tx, importId)));
};

interface WaitingLine {
  readonly facility_id: string;
  readonly created_by: string;
  readonly line: number;
  readonly email: string;
  readonly name: string | null;
  readonly title: string | null;
  readonly role_ids: string[];
  readonly mail_at: Date;
}

const waitingLines = typedRows<WaitingLine>({
  ...{
    facility_id: 'string',
    created_by: 'string',
    line: 'number',
    email: 'string',
    name: 'string?',
    title: 'string?',
  },
  ...{ role_ids: 'array', mail_at: 'date' },
});

/** The next who waits, held; its mail goes out after the last one of the facility. */
function findNext(tx: Transaction, importId: string): Promise<WaitingLine | undefined> {
  return waitingLines.first(
    tx,
    sql`
    select i.facility_id, i.created_by, l.line, l.email, l.name, l.title, l.role_ids,
      greatest(now(), (select max(m.mail_at) from invitation_import_lines m where m.facility_id = i.facility_id)
        + make_interval(secs => ${BETWEEN_MAILS_S})) as mail_at
    from invitation_import_lines l join invitation_imports i on i.id = l.import_id
    where l.import_id = ${importId} and l.state = 'waiting'
    order by l.line limit 1 for update of l skip locked`,
  );
}

async function inviteNext(tx: Transaction, importId: string): Promise<Change<boolean>> {
  const next = await findNext(tx, importId);
  if (!next) return { result: false, audit: null };
  const { facility_id: facilityId, created_by: createdBy, role_ids: roleIds, email, mail_at } = next;
  const ofImport = { facilityId, actorId: createdBy };
  const settle = (settled: object) =>
    tx
      .updateTable('invitation_import_lines')
      .set(settled)
      .where('import_id', '=', importId)
      .where('line', '=', next.line)
      .execute();
  const problem = await refusalOf(tx, next);
  if (problem !== null) {
    await settle({ state: 'refused', problem });
    const object = { objectType: 'invitation_import', objectId: importId };
    return { result: true, audit: { ...ofImport, ...object, outcome: 'refused', detail: { line: next.line } } };
  }
  const id = newId();
  const tokenHash = hashOfNobody();
  await insertInvitation(tx, {
    ...{ id, facilityId, createdBy, tokenHash, email, title: next.title, note: next.name, roleIds },
  });
  await settle({ state: 'invited', invitation_id: id, mail_at });
  await enqueueJob(tx, { kind: IMPORT_MAIL_JOB, payload: { invitation_id: id }, runAt: mail_at });
  const detail = { role_ids: roleIds, import: importId };
  return { result: true, audit: { ...ofImport, objectType: 'invitation', objectId: id, detail } };
}

/** As it is now: rights may have ended and people may have joined since the file was given. */
async function refusalOf(tx: Transaction, next: WaitingLine): Promise<string | null> {
  const { facility_id: facilityId, created_by: userId, email } = next;
  const giving = await readGiving(tx, { facilityId, userId });
  if (!giving.mayInvite) return 'Who gave the file may not invite any more.';
  const known = (await findKnown(tx, facilityId, [email])).get(email);
  if (known !== undefined) return KNOWN_TEXTS[known];
  return giving.refusalOf(next.role_ids) === null ? null : 'Who gave the file may not give this role any more.';
}
