import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { importPeople as endpoint, PersonRow } from '@wardline/contract/facilities/invitation-imports.ts';
import { counted } from '@wardline/format/counts.ts';
import { sql } from 'kysely';
import { type Giving, readGiving } from '#/features/invitations/core/givable-roles.ts';
import { findKnown, KNOWN_TEXTS } from '#/features/invitations/core/queries.ts';
import { requireManager } from '#/features/invitations/core/require-manager.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { INVITE_JOB } from './invite-people.ts';
import { type PersonLine, problem, readPeopleFile } from './read-people-file.ts';

type Endpoint = typeof endpoint;

const MOST_A_DAY = 2_000;

/** What a line becomes, and what is stored of it where somebody is new. */
interface Decided {
  readonly row: PersonRow;
  readonly line: PersonLine;
  readonly roleIds: readonly string[];
}

/**
 * People to invite from a CSV file. A dry run decides as taking it does, and stores nothing; one refused line keeps the whole
 * file out. What is taken is worked off by a job, which asks for every right again.
 */
export async function importPeople(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  file: Buffer,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId } = params;
  requireManager(actor, facilityId);
  const lines = readPeopleFile(file);
  return write('invitation.import', async (tx) => {
    const recent = query.apply === 'true' ? await takeTurn(tx, facilityId) : 0;
    const giving = await readGiving(tx, { facilityId, userId: actor.userId });
    if (!giving.mayInvite) throw new AppError('forbidden');
    const decided = await decideAll(tx, { facilityId, lines, giving });
    const added = decided.filter(({ row }) => row.outcome === 'new');
    const isRefused = decided.some(({ row }) => row.outcome === 'refused');
    if (query.apply !== 'true' || isRefused || added.length === 0) {
      return { result: replyOf(decided, false), audit: null };
    }
    mustFitIntoDay(recent, added.length);
    const id = newId();
    await insertImport(tx, { id, facilityId, createdBy: actor.userId, added });
    await enqueueJob(tx, { kind: INVITE_JOB, payload: { import_id: id } });
    const detail = { people: added.length };
    return {
      result: replyOf(decided, true),
      audit: { facilityId, objectType: 'invitation_import', objectId: id, detail },
    };
  });
}

const usage = typedRows<{ waiting: number; recent: number }>({ waiting: 'number', recent: 'number' });

/** One file of a facility at a time. Returns how many people were invited by file in 24 hours. */
async function takeTurn(tx: Transaction, facilityId: string): Promise<number> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
  const found = await usage.first(
    tx,
    sql`
    select count(*) filter (where l.state = 'waiting')::int as waiting,
      count(*) filter (where i.created_at > now() - interval '1 day')::int as recent
    from invitation_imports i join invitation_import_lines l on l.import_id = i.id where i.facility_id = ${facilityId}`,
  );
  const { waiting = 0, recent = 0 } = found ?? {};
  if (waiting > 0) {
    throw new AppError('conflict', { message: 'A file is being worked off. Wait until its people are invited.' });
  }
  return recent;
}

/** So many people in a day: what is mailed to strangers has an end. */
function mustFitIntoDay(recent: number, added: number): void {
  if (recent + added <= MOST_A_DAY) return;
  const room = Math.max(0, MOST_A_DAY - recent);
  const next =
    room === 0
      ? 'Go on tomorrow.'
      : `Shorten the file to ${counted(room, 'new person', 'new people')}, or go on tomorrow.`;
  throw invalidField('file', `${counted(recent, 'person was', 'people were')} invited by file in 24 hours. ${next}`);
}

async function decideAll(
  tx: Transaction,
  { facilityId, lines, giving }: { facilityId: string; lines: readonly PersonLine[]; giving: Giving },
): Promise<Decided[]> {
  const emails = lines.flatMap(({ email }) => email ?? []);
  const known = await findKnown(tx, facilityId, emails);
  return lines.map((line) => decide(line, known, giving));
}

function decide(line: PersonLine, known: Awaited<ReturnType<typeof findKnown>>, giving: Giving): Decided {
  const { roleIds, unknown } = findRolesNamed(line.role ?? '', giving);
  const problems = [...line.problems];
  const refusal = giving.refusalOf(roleIds);
  if (unknown !== undefined) problems.push(problem('role', 'UNKNOWN_ROLE', `There is no role “${unknown}”.`));
  else if (refusal !== null) problems.push(problem('role', 'NOT_GRANTABLE', refusal));
  const standing = line.email === null ? undefined : known.get(line.email);
  const outcome = problems.length > 0 ? 'refused' : standing === undefined ? 'new' : 'known';
  if (outcome === 'known' && standing) problems.push(problem('email', 'KNOWN', KNOWN_TEXTS[standing]));
  const { email, name } = line;
  return { row: { line: line.line, email, name, outcome, problems }, line, roleIds };
}

/** A role whose name has a semicolon is meant by it whole. Case counts only where two differ by nothing else. */
function findRolesNamed(cell: string, { roles }: Giving): { roleIds: string[]; unknown?: string } {
  const find = (name: string) =>
    roles.find((role) => role.name === name) ?? roles.find((role) => role.name.toLowerCase() === name.toLowerCase());
  const whole = find(cell);
  if (whole || cell === '') return { roleIds: whole ? [whole.id] : [] };
  const names = cell.split(';').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => find(name) === undefined);
  const roleIds = [...new Set(names.flatMap((name) => find(name)?.id ?? []))];
  return { roleIds, ...(unknown !== undefined && { unknown: unknown.slice(0, 80) }) };
}

interface NewImport {
  readonly id: string;
  readonly facilityId: string;
  readonly createdBy: string;
  readonly added: readonly Decided[];
}

async function insertImport(tx: Transaction, { id, facilityId, createdBy, added }: NewImport): Promise<void> {
  await tx.insertInto('invitation_imports').values({ id, facility_id: facilityId, created_by: createdBy }).execute();
  const rows = added.map(({ line, roleIds }) => ({
    ...{ import_id: id, facility_id: facilityId, line: line.line, role_ids: [...roleIds] },
    ...{ email: line.email ?? '', name: line.name, title: line.title },
  }));
  await tx.insertInto('invitation_import_lines').values(rows).execute();
}

function replyOf(decided: readonly Decided[], isApplied: boolean): ReplyOf<Endpoint> {
  const rows = decided.map(({ row }) => row);
  const count = (outcome: PersonRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    is_applied: isApplied,
    counts: { new: count('new'), known: count('known'), refused: count('refused') },
    rows: rows.sort((a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused') || a.line - b.line),
  };
}
