import type { receiveHl7 as endpoint } from '@wardline/contract/census/exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { LogAuthor } from '#/features/census/core/append-log.ts';
import { authorOf, jobAuthor } from '#/features/census/core/author.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { type FacilityConfig, findFacilityPlace } from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { feedMessages } from '#/features/census/core/policy.ts';
import { dateOfNow, requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { refuse } from '#/features/census/log/note-once.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { acknowledgement } from '#/platform/hl7/acknowledgement.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { readHead } from '#/platform/hl7/read-message.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Write } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { createWrite, noteRefusal, type WriteContext } from '#/platform/http/writes/write.ts';
import type { DatedClock } from './event-date.ts';
import type { Feed } from './feed.ts';
import { keepRefused, type Received, receiveAdt, storable } from './receive-adt.ts';

type Endpoint = typeof endpoint;
type Db = Database | DatabaseTransaction;

type FeedDeps = Pick<CensusDeps, 'feedSecret' | 'receiveResults'>;

/** One message by HTTP, from a machine with an access token. */
export function receiveHl7({ feedSecret: secret, receiveResults }: FeedDeps) {
  return async (ctx: RequestContext, { body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const facilityId = body.facility;
    const place = await requireFacilityNow(ctx, facilityId);
    if (!can(ctx.actor, feedMessages, { facilityId })) return refuse(ctx, place, 'feed.receive');
    const author: LogAuthor = { ...authorOf(ctx, facilityId), source: 'feed' };
    const received = await take(ctx, { place, author, secret, receiveResults, text: body.message });
    return {
      code: received.code,
      error_code: received.error?.code ?? null,
      reason: received.error?.reason ?? null,
      acknowledgement: acknowledgement(received, new Date()),
    };
  };
}

/** A message and where it came from. */
export interface MllpMessage {
  readonly facilityCode: string;
  readonly text: string;
  readonly ip: string | null;
}

/** The same for messages that come without HTTP: about one facility, by its code. */
export function receiveByMllp({ db, log, publish, feedSecret: secret, receiveResults }: CensusDeps) {
  return async ({ facilityCode, text, ip }: MllpMessage): Promise<string> => {
    const ctx: WriteContext = { actor: null, db, log, http: { ip, requestId: 'mllp', socketId: null } };
    const write = createWrite(ctx, publish);
    const author: LogAuthor = { ...jobAuthor(null), source: 'feed', ip };
    const received = await asSystem('patient system', async () => {
      const facilityId = await findFacilityByCode(db, facilityCode);
      const place = facilityId && (await findFacilityPlace(db, { facilityId, date: dateOfNow() }));
      if (!place) throw new Error(unknownFacility(facilityCode));
      return take({ ...ctx, write }, { place, author, secret, receiveResults, text });
    });
    return acknowledgement(received, new Date());
  };
}

interface Message extends Pick<CensusDeps, 'receiveResults'> {
  readonly place: FacilityConfig;
  readonly author: LogAuthor;
  readonly secret: Buffer;
  readonly text: string;
}

type Taking = WriteContext & { readonly write: Write };

async function take(ctx: Taking, { text, receiveResults, ...message }: Message): Promise<Received> {
  const { db, write } = ctx;
  const { facility_id: facilityId } = message.place;
  if (await isDeactivated(db, facilityId)) return refuseWhileClosed(ctx, { facilityId, text });
  const feed = await openFeed(db, message);
  if (isOfLaboratory(text)) return takeResults(ctx, feed, { receiveResults, text: storable(text) });
  return write('census.feed', async (tx) => {
    const received = await receiveAdt(tx, feed, text);
    const detail = { code: received.code, proposals: received.proposals.map(({ id }) => id) };
    const outcome = received.code === 'AA' ? {} : ({ outcome: 'refused' } as const);
    return {
      result: received,
      audit: { facilityId, objectType: 'adt_message', detail, ...outcome },
      publish: censusChanged(facilityId, [{ dates: datesToldOf(received), unitId: null }]),
    };
  });
}

/** A facility that is closed takes and keeps nothing (docs/decisions/062): AR says that the same message can come again later. */
async function refuseWhileClosed(
  ctx: Taking,
  { facilityId, text }: { readonly facilityId: string; readonly text: string },
): Promise<Received> {
  const head = readHead(storable(text));
  const object = { facilityId, objectType: 'facility', objectId: facilityId };
  await noteRefusal(ctx, 'census.feed', { ...object, detail: { code: 'AR', refused: 'facility_closed' } });
  const reason = 'the facility was closed by the system administrator: nothing is taken or kept, send it again later';
  const error = { code: 207, place: null, reason } as const;
  return { code: 'AR', controlId: head.controlId?.slice(0, 199) ?? null, error, dates: [], proposals: [] };
}

/** Whether a message is of the laboratory: then the census has nothing of it. */
export function isOfLaboratory(text: string): boolean {
  return readHead(text).kind?.startsWith('ORU') ?? false;
}

type TakingResults = Pick<Message, 'receiveResults' | 'text'>;

/** Refused, it is kept beside the messages of the patient system, and can be tried again from there. */
async function takeResults(ctx: Taking, feed: Feed, { receiveResults, text }: TakingResults): Promise<Received> {
  const { facility_id: facilityId, time_zone: timeZone } = feed.place;
  try {
    const { controlId } = await receiveResults(ctx, { facilityId, timeZone, text });
    return { code: 'AA', controlId, error: null, dates: [], proposals: [] };
  } catch (error) {
    if (!(error instanceof Hl7Error)) throw error;
    return ctx.write('census.feed', async (tx) => {
      const received = await keepRefused(tx, feed, { text, error });
      const detail = { code: received.code };
      return { result: received, audit: { facilityId, objectType: 'result_message', detail, outcome: 'refused' } };
    });
  }
}

/** What is needed to take messages of a facility. */
export async function openFeed(db: Db, given: Pick<Feed, 'place' | 'author' | 'secret'>): Promise<Feed> {
  const { facility_no: facilityNo } = given.place;
  const [units, clocks] = await Promise.all([findUnitsByCode(db, facilityNo), findDatedClocks(db, facilityNo)]);
  return { ...given, units, clocks, now: new Date() };
}

/** The census dates of which pages show something else since. */
export function datesToldOf({ dates, proposals }: Pick<Received, 'dates' | 'proposals'>): string[] {
  return [...dates, ...proposals.map(({ date }) => date)];
}

function unknownFacility(code: string): string {
  return `there is not exactly one facility with the code ${code}: no message is answered (see WARDLINE_MLLP_FACILITY)`;
}

/** What keeps messages by MLLP from being taken, for the log of whoever sets it up; null where nothing does. */
export async function whyNoMllp(db: Database, facilityCode: string): Promise<string | null> {
  const facilityId = await asSystem('patient system', () => findFacilityByCode(db, facilityCode));
  return facilityId === undefined ? unknownFacility(facilityCode) : null;
}

/** The one facility that has this code; undefined where none has it, or several. */
async function findFacilityByCode(db: Database, code: string): Promise<string | undefined> {
  const found = await sql<{ id: string }>`select id from facilities where code = ${code} limit 2`.execute(db);
  return found.rows.length === 1 ? found.rows[0]?.id : undefined;
}

async function isDeactivated(db: Database, facilityId: string): Promise<boolean> {
  const query = db.selectFrom('facilities').select('deactivated_at').where('id', '=', facilityId);
  return (await query.executeTakeFirst())?.deactivated_at !== null;
}

/** The facility's units by code, as a patient system may spell it: letters and digits alone, in capitals. */
export async function findUnitsByCode(db: Db, facilityNo: number): Promise<Map<string, number>> {
  const found = await sql<{ unit_no: number; code: string }>`
    select u.unit_no, upper(regexp_replace(n.code, '[^A-Za-z0-9]', '', 'g')) as code
    from census_units u join units n on n.id = u.unit_id where u.facility_no = ${facilityNo}`.execute(db);
  return new Map(found.rows.map(({ unit_no, code }) => [code, unit_no]));
}

/** The facility's clocks, the newest first. */
export async function findDatedClocks(db: Db, facilityNo: number): Promise<DatedClock[]> {
  const found = await sql<DatedClock>`
    select from_date, time_zone, to_char(census_time, 'HH24:MI') as census_time
    from census_hours where facility_no = ${facilityNo} order by from_date desc`.execute(db);
  return found.rows;
}
