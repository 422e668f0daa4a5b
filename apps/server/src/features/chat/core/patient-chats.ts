import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const found = typedRows<{ identifier: string; ids: string[] }>({ identifier: 'string', ids: 'array' });

/** The ids of the case chats of a facility that carry these numbers, and nothing of them (docs/decisions/057). */
export async function findChatsOfPatients(
  db: Database | DatabaseTransaction,
  facilityId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (identifiers.length === 0) return new Map();
  const query = sql`
    select identifier, array_agg(distinct id) as ids from chats_of_patients(${facilityId}, ${identifiers}::text[]) group by identifier`;
  const rows = await found.read(db, query);
  return new Map(rows.map(({ identifier, ids }) => [identifier, ids]));
}

const ids = typedRows<{ id: string }>({ id: 'string' });

/** A chat about a patient, for what is to be put into it. */
export interface CaseOfPatient {
  readonly id: string;
  readonly isOpen: boolean;
  readonly name: string;
  readonly identifier: string;
  readonly bornOn: string | null;
}

interface CaseRow {
  readonly id: string;
  readonly is_open: boolean;
  readonly name: string;
  readonly identifier: string;
  readonly born_on: string | null;
}
const cases = typedRows<CaseRow>({
  ...{ id: 'string', is_open: 'boolean', name: 'string', identifier: 'string' },
  born_on: 'string?',
});
const caseColumns = sql`c.id, c.state in ('open', 'handed_over') as is_open, c.patient_name as name,
  c.patient_identifier as identifier, c.patient_born_on::text as born_on`;

function toCase({ is_open: isOpen, born_on: bornOn, ...row }: CaseRow): CaseOfPatient {
  return { ...row, isOpen, bornOn };
}

const MOST_CASES = 100;

/** The chats of a facility about patients with these numbers: letters and digits in small letters, without `MRN`. */
export async function findCasesByNumber(
  tx: DatabaseTransaction,
  facilityId: string,
  numbers: readonly string[],
): Promise<CaseOfPatient[]> {
  if (numbers.length === 0) return [];
  const query = sql`select id from chats_of_folded_numbers(${facilityId}, ${numbers}::text[], ${MOST_CASES}) as id`;
  const found = await ids.read(tx, query);
  return findCases(
    tx,
    facilityId,
    found.map(({ id }) => id),
  );
}

/** Of these chats those about a patient, in their facility. */
export async function findCases(
  tx: DatabaseTransaction,
  facilityId: string,
  chatIds: readonly string[],
): Promise<CaseOfPatient[]> {
  const query = sql`select ${caseColumns} from chats as c
    where c.id = any(${chatIds}::uuid[]) and c.facility_id = ${facilityId} and c.kind = 'case' order by c.id`;
  return (await cases.read(tx, query)).map(toCase);
}

/** The open chats of a facility about a patient in which a person writes, the newest first. */
export async function listWritableCases(
  db: Database,
  { facilityId, userId, limit }: { facilityId: string; userId: string; limit: number },
): Promise<CaseOfPatient[]> {
  const query = sql`select ${caseColumns} from active_participants as p join chats as c on c.id = p.chat_id
    where p.user_id = ${userId} and c.facility_id = ${facilityId} and c.kind = 'case' and p.access in ('write', 'manage')
      and c.state in ('open', 'handed_over')
    order by c.updated_at desc limit ${limit}`;
  return (await cases.read(db, query)).map(toCase);
}
