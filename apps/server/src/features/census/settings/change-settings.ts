import { FIRST_DATE } from '@wardline/census/calendar.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { sql } from 'kysely';
import { appendAfter, lockHead, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import { type FacilityConfig, findFacilityPlace } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { configure } from '#/features/census/core/policy.ts';
import { requireFacilityAgain, requireFacilityOn, toFacilityContext } from '#/features/census/core/require-facility.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { LATEST_CLOCK, serializeSettings } from './serialize-settings.ts';

/** What a change came to: only the fields that are not what they were. */
export interface SettingsChange {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly unit?: NonNullable<NewLogEntry['unit']>;
  readonly reason?: string | null;
  /** What goes out with it. */
  readonly publish?: readonly Publication[];
}

interface Wanted {
  readonly facilityId: string;
  readonly version: number;
}

/** What is set shows on the pages of any date. */
const ANY_DATE = [FIRST_DATE, LATEST_CLOCK];

/** The frame of every change of the settings: who may, nobody else's change overwritten, the log says what became of what. */
export async function changeSettings(
  ctx: RequestContext,
  { facilityId, version }: Wanted,
  change: (tx: Transaction, place: FacilityConfig) => Promise<SettingsChange | readonly SettingsChange[]>,
): Promise<CensusSettings> {
  const place = await requireFacilityOn(ctx, { facilityId, date: LATEST_CLOCK });
  const { facility_no: facilityNo } = place;
  await withRefusalLogging(ctx, { facilityNo, facilityId, entry: { action: 'settings.change' } }, async () => {
    authorize(ctx.actor, configure, toFacilityContext(place));
    // Nobody waits for a refusal: asked before the facility is held, and again under the lock.
    await guardSettingsVersion(readSettingsVersion(ctx.db, facilityNo), version);
    return ctx.write('census.settings.change', async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const asIs = await requireFacilityAgain({ tx, actor: ctx.actor }, { facilityId, date: LATEST_CLOCK }, configure);
      await guardSettingsVersion(lockSettings(tx, facilityNo), version);
      const made = [await change(tx, asIs)].flat();
      const changes = made.filter(({ after }) => Object.keys(after).length > 0);
      if (changes.length === 0) return { result: undefined, audit: null };
      await raiseSettingsVersion(tx, facilityNo);
      const author = authorOf(ctx, facilityId);
      const entries = changes.map(({ publish, ...changed }) => ({ action: 'settings.change' as const, ...changed }));
      await appendAfter(tx, head, { facilityNo, author, entries });
      const [only, ...others] = changes;
      const unitId = others.length === 0 ? (only?.unit?.unitId ?? null) : null;
      const fields = [...new Set(changes.flatMap(({ after }) => Object.keys(after)))];
      const publish = changes.flatMap((changed) => changed.publish ?? []);
      return {
        result: undefined,
        audit: {
          facilityId,
          ...(unitId && { objectType: 'unit', objectId: unitId }),
          detail: { fields },
        },
        publish: [...publish, ...censusChanged(facilityId, [{ dates: ANY_DATE, unitId }])],
      };
    });
  });
  return serializeSettings(ctx.db, await placeNow(ctx.db, facilityId), ctx.actor);
}

async function placeNow(db: RequestContext['db'], facilityId: string): Promise<FacilityConfig> {
  const place = await findFacilityPlace(db, { facilityId, date: LATEST_CLOCK });
  if (!place) throw new AppError('not_found');
  return place;
}

async function guardSettingsVersion(reading: Promise<number>, version: number): Promise<void> {
  const standing = await reading;
  if (standing !== version) throw staleSettings(standing);
}

async function readSettingsVersion(db: RequestContext['db'], facilityNo: number): Promise<number> {
  const query = db.selectFrom('census_facilities').select('version').where('facility_no', '=', facilityNo);
  return (await query.executeTakeFirst())?.version ?? 0;
}

function staleSettings(version: number): AppError {
  const message = `Someone changed the settings in the meantime; they are at version ${version} now.`;
  return brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}

/** Of two states the fields that differ. */
export function differences<State extends object>(
  before: State,
  after: State,
): { before: Partial<State>; after: Partial<State> } {
  const changed = (Object.keys(after) as (keyof State)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const pick = (state: State) => Object.fromEntries(changed.map((field) => [field, state[field]])) as Partial<State>;
  return { before: pick(before), after: pick(after) };
}

/** Holds the facility's settings until the commit. Returns their version. */
async function lockSettings(tx: DatabaseTransaction, facilityNo: number): Promise<number> {
  const found = await sql<{ version: number }>`
    select version from census_facilities where facility_no = ${facilityNo} for no key update`.execute(tx);
  return found.rows[0]?.version ?? 0;
}

async function raiseSettingsVersion(tx: DatabaseTransaction, facilityNo: number): Promise<void> {
  await sql`update census_facilities set version = version + 1 where facility_no = ${facilityNo}`.execute(tx);
}
