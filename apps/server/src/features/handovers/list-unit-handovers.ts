import { begunShifts } from '@wardline/census/shift-starts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  type BegunShift,
  type listUnitHandovers as endpoint,
  type HandoverListRow,
  type HandoverListUnit,
  type HandoverSummary,
  NO_UNIT,
  type noteHandoverListPrint as printEndpoint,
} from '@wardline/contract/examinations/handovers.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { HandoverDeps } from './core/deps.ts';
import { listSummariesOf } from './core/handover-queries.ts';
import {
  countPlaces,
  decodePlace,
  encodePlace,
  findShiftStarts,
  type ListQuestion,
  listOnCallUnits,
  listPatients,
  type PatientRow,
  type PlaceCount,
} from './core/list-queries.ts';
import { listHandoversOf } from './core/policy.ts';
import { now } from './core/sign-sheet.ts';

type Endpoint = typeof endpoint;

const PAGE = 50;
/** So many shifts can be chosen among: two days of a facility with three a day. */
const SHIFTS = 6;
/** So many patients of a printed list are named in the audit. */
const MOST_PRINTED = 500;

/** My patients of a unit at the end of a shift, of one moment: whom a hand-over was given for, and for whom not yet. */
export function listUnitHandovers(deps: HandoverDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params, query }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const facilityId = params.facility;
    authorizeToKnow(actor, listHandoversOf, { facilityId });
    const at = now(deps);
    if (query.since !== undefined && Date.parse(query.since) > Date.parse(at))
      throw invalidField('since', 'This time is still to come.');
    const limit = query.limit ?? PAGE;
    const after = query.cursor === undefined ? null : decodePlace(query.cursor);
    const { list, rows, summaries } = await inMoment(db, async (tx) => {
      const list = await findList(deps, tx, { userId: actor.userId, facilityId, at, asked: query });
      const rows = await listPatients(tx, { ...list.question, places: list.places, after, limit: limit + 1 });
      const ids = rows.flatMap(({ handover_id }) => handover_id ?? []);
      return { list, rows, summaries: await listSummariesOf(tx, ids) };
    });
    const page = rows.slice(0, limit);
    await noteReads(
      'chat.read',
      page.map(({ chat_id }) => ({ facilityId, objectType: 'chat', objectId: chat_id })),
    );
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map((row) => toRow(row, facilityId, summaries)),
      next_cursor: last ? encodePlace(last) : null,
      ...{ unit_id: list.unitId, since: list.question.since, at, units: list.units, shifts: list.shifts },
    };
  };
}

/** Each press of the button is written down, with whose names are on the paper. */
export function noteHandoverListPrint(deps: HandoverDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<typeof printEndpoint>,
  ): Promise<undefined> => {
    const facilityId = params.facility;
    authorizeToKnow(actor, listHandoversOf, { facilityId });
    const printed = await inMoment(db, async (tx) => {
      const list = await findList(deps, tx, { userId: actor.userId, facilityId, at: now(deps), asked: body });
      const rows = await listPatients(tx, { ...list.question, places: list.places, after: null, limit: MOST_PRINTED });
      return { unit: list.unitId, chats: rows.map(({ chat_id }) => chat_id) };
    });
    const detail = { unit: printed.unit, since: body.since, chats: printed.chats };
    return write('handover.list.print', async () => ({
      result: undefined,
      audit: { facilityId, objectType: 'facility', objectId: facilityId, detail },
    }));
  };
}

/** Counts and rows are of one moment, whoever hands over meanwhile. */
function inMoment<Found>(db: Database, find: (tx: DatabaseTransaction) => Promise<Found>): Promise<Found> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(find);
}

interface Asked {
  readonly userId: string;
  readonly facilityId: string;
  readonly at: string;
  readonly asked: { readonly unit?: string | undefined; readonly since?: string | undefined };
}

interface FoundList {
  readonly question: ListQuestion;
  /** Null for patients whose bed fits no unit. */
  readonly unitId: string | null;
  readonly places: readonly (string | null)[];
  readonly units: HandoverListUnit[];
  readonly shifts: BegunShift[];
}

/** Which list is asked for, and what of the facility's beds belongs to it. A bed's unit is found as everywhere (039). */
async function findList(
  { unitOfBed }: HandoverDeps,
  tx: DatabaseTransaction,
  { userId, facilityId, at, asked }: Asked,
): Promise<FoundList> {
  const known = await tx
    .selectFrom('units')
    .select(['id', 'name', 'code'])
    .where('facility_id', '=', facilityId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  if (asked.unit !== undefined && asked.unit !== NO_UNIT && !known.some(({ id }) => id === asked.unit))
    throw new AppError('not_found');
  const shifts = await listShifts(tx, facilityId, at);
  const since = asked.since ?? shifts[0]?.since ?? at;
  const question = { userId, facilityId, since };
  const places = await countPlaces(tx, question);
  const unitOf = ({ place }: PlaceCount) => (place === null ? null : (unitOfBed(`${place}-`, known)?.id ?? null));
  const units = [...known, null].flatMap((unit) => {
    const here = places.filter((place) => unitOf(place) === (unit?.id ?? null));
    return here.length === 0 ? [] : [{ unit, ...sumOf(here) }];
  });
  const onCall = (await listOnCallUnits(tx, { userId, facilityId, at })).find(({ unit_id }) =>
    units.some(({ unit }) => unit !== null && unit.id === unit_id),
  );
  const unitId = asked.unit === undefined ? (onCall?.unit_id ?? units[0]?.unit?.id ?? null) : unitIdOf(asked.unit);
  return {
    ...{ question, unitId, units, shifts },
    places: places.filter((place) => unitOf(place) === unitId).map(({ place }) => place),
  };
}

async function listShifts(tx: DatabaseTransaction, facilityId: string, at: string): Promise<BegunShift[]> {
  const { shift_starts, time_zone } = await findShiftStarts(tx, facilityId);
  const begun = begunShifts(shift_starts, { zone: time_zone, now: new Date(at), most: SHIFTS });
  return begun.map(({ name, since }) => ({ name, since: since.toISOString() }));
}

function unitIdOf(unit: string): string | null {
  return unit === NO_UNIT ? null : unit;
}

function sumOf(places: readonly PlaceCount[]) {
  const sum = (count: 'patients' | 'without' | 'waiting') => places.reduce((all, place) => all + place[count], 0);
  return { patients: sum('patients'), without: sum('without'), waiting: sum('waiting') };
}

function toRow(
  { chat_id, name, identifier, born_on, bed, standing, handover_id, to_do, urgent, critical, access }: PatientRow,
  facilityId: string,
  summaries: ReadonlyMap<string, HandoverSummary>,
): HandoverListRow {
  return {
    ...{
      chat_id,
      facility_id: facilityId,
      patient: { name, identifier, born_on, bed },
      standing,
      to_do,
      urgent,
      critical,
    },
    handover: (handover_id === null ? null : summaries.get(handover_id)) ?? null,
    can_give: access !== 'read',
  };
}
