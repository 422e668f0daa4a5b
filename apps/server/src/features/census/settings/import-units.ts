import type * as contract from '@wardline/contract/census/settings.ts';
import type { UnitRow } from '@wardline/contract/census/settings.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { loggedUnit } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { configure } from '#/features/census/core/policy.ts';
import { requireFacilityNow, toFacilityContext } from '#/features/census/core/require-facility.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { changeSettings, type SettingsChange } from './change-settings.ts';
import { findRunningDate } from './next-clock.ts';
import { readUnitsFile, type UnitLine } from './read-units-file.ts';
import { findLastSignedDay, findUnitSettings } from './settings-queries.ts';
import { addUnit, renameUnit } from './units.ts';
import { changeBeds } from './update-census-unit.ts';

type Endpoint = typeof contract.importUnits;

/** Carries the answer out of a transaction that is given up. */
class GivenUp extends Error {
  readonly rows: readonly UnitRow[];
  constructor(rows: readonly UnitRow[]) {
    super('the import was not applied');
    this.rows = rows;
  }
}

/**
 * Units and their beds from a CSV file. A dry run does all that applying does, in a transaction that is given up at the end,
 * so that it says exactly what applying would. One refused line keeps the whole file out.
 */
export async function importUnits(
  ctx: RequestContext,
  file: Buffer,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const place = await requireFacilityNow(ctx, params.facility);
  authorize(ctx.actor, configure, toFacilityContext(place));
  const lines = readUnitsFile(file);
  const rows: UnitRow[] = [];
  try {
    await changeSettings(ctx, { facilityId: params.facility, version: query.version }, async (tx, now) => {
      const { tried, changes } = await tryAll(tx, now, lines);
      if (query.apply !== 'true' || tried.some(({ outcome }) => outcome === 'refused')) throw new GivenUp(tried);
      rows.splice(0, rows.length, ...tried);
      return changes;
    });
    return replyOf(rows, true);
  } catch (error) {
    if (error instanceof GivenUp) return replyOf(error.rows, false);
    throw error;
  }
}

interface Tried {
  readonly tried: UnitRow[];
  readonly changes: SettingsChange[];
}

async function tryAll(tx: Transaction, place: FacilityConfig, lines: readonly UnitLine[]): Promise<Tried> {
  const tried: UnitRow[] = [];
  const changes: SettingsChange[] = [];
  const running = await findRunningDate(tx, place, new Date());
  for (const line of lines) {
    const row = { line: line.line, unit_code: line.code || null, unit_name: line.name || null };
    if (line.problems.length > 0) {
      tried.push({ ...row, outcome: 'refused', problems: line.problems });
      continue;
    }
    try {
      const { isNew, made } = await tryLine(tx, { place, line, running });
      const hasChanged = made.some(({ after }) => Object.keys(after).length > 0);
      tried.push({ ...row, outcome: isNew ? 'new' : hasChanged ? 'changed' : 'unchanged', problems: [] });
      changes.push(...made);
    } catch (error) {
      if (!(error instanceof AppError) || error.fields === undefined) throw error;
      tried.push({ ...row, outcome: 'refused', problems: problemsOf(error) });
    }
  }
  return { tried, changes };
}

interface Trying {
  readonly place: FacilityConfig;
  readonly line: UnitLine;
  /** The census date under way, from which beds hold where the line says nothing. */
  readonly running: string;
}

async function tryLine(
  tx: Transaction,
  { place, line, running }: Trying,
): Promise<{ isNew: boolean; made: SettingsChange[] }> {
  const find = async () =>
    (await findUnitSettings(tx, place.facility_no)).find(
      (unit) => unit.unit_code.toLowerCase() === line.code.toLowerCase(),
    );
  const made: SettingsChange[] = [];
  let unit = await find();
  const isNew = unit === undefined;
  if (unit === undefined) {
    if (line.name === '') throw new AppError('unprocessable', { fields: { name: ['A new unit needs a name.'] } });
    const names = { unit_code: line.code, unit_name: line.name, unit_kind: line.kind || 'Ward' };
    made.push(await addUnit(tx, place, names));
    unit = await find();
  } else {
    const names = { ...(line.name && { unit_name: line.name }), ...(line.kind && { unit_kind: line.kind }) };
    made.push({ ...(await renameUnit(tx, place, { unit, names })), unit: loggedUnit(unit) });
  }
  if (line.beds !== null && unit !== undefined) {
    const { population, from } = line;
    const beds = { population, from: from || running, ...line.beds };
    const lastSigned = await findLastSignedDay(tx, place.facility_no);
    const changed = await changeBeds(tx, { unit, body: { version: 0, beds }, place, lastSigned, running });
    made.push({ ...changed, unit: loggedUnit(unit) });
  }
  return { isNew, made };
}

/** What the forms say at their fields, at the columns of the file. */
function problemsOf({ fields = {} }: AppError): UnitRow['problems'] {
  return Object.entries(fields).flatMap(([field, messages]) => {
    const column = field.replace(/^(beds\.|unit_)/, '');
    return messages.map((message) => ({ column, code: 'REFUSED', message }));
  });
}

function replyOf(rows: readonly UnitRow[], isApplied: boolean): ReplyOf<Endpoint> {
  const count = (outcome: UnitRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    is_applied: isApplied,
    counts: { new: count('new'), changed: count('changed'), unchanged: count('unchanged'), refused: count('refused') },
    rows: [...rows].sort(
      (a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused') || a.line - b.line,
    ),
  };
}
