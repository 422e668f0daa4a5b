import { changedFigures, figuresOf, type ReportFigures } from '@wardline/census/report-figures.ts';
import { COUNT_FIELDS, type Counts } from '@wardline/contract/census/census.ts';
import type { SignedDay, SignedFigures, SignedRestatement, SignedUnit } from '@wardline/contract/census/day.ts';
import type { FigureColumns, ReportHistory, ReportVersion, ToldSignature } from './signed-day-queries.ts';

type Signed = Pick<NonNullable<SignedDay['signed']>, 'source' | 'figures' | 'restatements'>;

/** A change of a report: what it said before and after, and under whose words; null where nobody said any. */
interface Change {
  readonly before: ReportFigures;
  readonly after: ReportFigures;
  readonly version: ReportVersion | null;
}

/** What became of the reports of a signed day since. Openings move with corrections of earlier days. */
export function restatedSince(figures: SignedFigures, histories: readonly ReportHistory[]): SignedRestatement[] {
  return figures.units.flatMap((unit) => {
    const history = historyOf(histories, unit);
    if (!history) return [];
    const since = history.versions.filter(({ version }) => version >= unit.version);
    const signed = figuresOf(unit);
    const [first = toFigures(history.figures)] = since.map((version) => toFigures(version.figures));
    // What no version tells of was changed past the server.
    const untold: Change = { before: signed, after: first, version: null };
    return restatementsOf(unit, [untold, ...changesOf({ ...history, versions: since })]);
  });
}

/**
 * The figures of a day that was signed before they were kept. While a day is signed its reports change by restatements alone,
 * and the log tells of each: so many changes back is what was signed. It must come to the totals that the signature told.
 */
export function rebuildSigned(
  today: SignedFigures,
  { histories, told }: { histories: readonly ReportHistory[]; told: ToldSignature },
): Signed {
  const rebuilt = today.units.map((unit) => rebuildUnit(unit, historyOf(histories, unit)));
  const known = rebuilt.filter((unit) => unit !== null);
  const units = known.map(({ unit }) => unit);
  if (known.length < rebuilt.length || !isAsTold(units, told)) {
    return { source: 'unknown', figures: today, restatements: [] };
  }
  return { source: 'rebuilt', figures: { ...today, units }, restatements: known.flatMap(({ since }) => since) };
}

interface Rebuilt {
  readonly unit: SignedUnit;
  readonly since: readonly SignedRestatement[];
}

/** Null where it cannot be told which of its versions was signed. */
function rebuildUnit(unit: SignedUnit, history: ReportHistory | undefined): Rebuilt | null {
  if (!history) return null;
  const changes = changesOf(history).filter((change) => changedFigures(change.before, change.after).length > 0);
  // What never changed is what was signed, whatever is left of the log.
  const since = history.restated_since ?? (changes.length === 0 ? 0 : null);
  if (since === null || since > changes.length) return null;
  const later = changes.slice(changes.length - since);
  const [first] = later;
  return { unit: first ? withFigures(unit, first.before) : unit, since: restatementsOf(unit, later) };
}

function isAsTold(units: readonly SignedUnit[], { units_expected, census, service_days }: ToldSignature): boolean {
  const sum = (of: (unit: SignedUnit) => number | null) => units.reduce((total, unit) => total + (of(unit) ?? 0), 0);
  return (
    (units_expected === null || units_expected === units.length) &&
    (census === null || census === sum((unit) => unit.closing)) &&
    (service_days === null || service_days === sum((unit) => unit.service_days))
  );
}

function historyOf(histories: readonly ReportHistory[], unit: SignedUnit): ReportHistory | undefined {
  return histories.find(({ unit_id, population }) => unit_id === unit.unit_id && population === unit.population);
}

/** From each version to the next; the last is the report as it is. */
function changesOf({ figures, versions }: Pick<ReportHistory, 'figures' | 'versions'>): Change[] {
  const states = [...versions.map((version) => version.figures), figures].map(toFigures);
  return versions.flatMap((version, index) => {
    const [before, after] = [states[index], states[index + 1]];
    return before && after ? [{ before, after, version }] : [];
  });
}

function restatementsOf(
  { unit_id, unit_code, population }: SignedUnit,
  changes: readonly Change[],
): SignedRestatement[] {
  return changes.flatMap(({ before, after, version }) => {
    const changed = changedFigures(before, after);
    if (changed.length === 0) return [];
    // Whoever restates says why: what changed beside a version without a reason was changed past the server.
    const given = version?.reason_code ? version : null;
    const at = given && new Date(given.at).toISOString();
    const { by = null, reason = null, reason_code = null } = given ?? {};
    return [{ unit_id, unit_code, population, at, by, reason, reason_code, changes: changed }];
  });
}

const numberOf = (value: number | string | null | undefined): number | null =>
  typeof value === 'number' ? value : null;
const textOf = (value: number | string | null | undefined): string | null => (typeof value === 'string' ? value : null);

/** The columns of a row as figures. */
function toFigures(row: FigureColumns): ReportFigures {
  const beds = (name: string) => numberOf(row[`beds_${name}`]) ?? 0;
  return figuresOf({
    opening: numberOf(row['opening']),
    counts: countsOf(row),
    closing: numberOf(row['closing']),
    service_days: numberOf(row['service_days']),
    beds: {
      licensed: beds('licensed'),
      physical: beds('physical'),
      staffed: beds('staffed'),
      surge: beds('surge'),
      blocked: beds('blocked'),
    },
    variance_reason: textOf(row['variance_reason']),
    capacity_reason: textOf(row['capacity_reason']),
  });
}

function countsOf(row: Readonly<Record<string, number | string | null>>): Counts {
  return Object.fromEntries(COUNT_FIELDS.map((field) => [field, numberOf(row[field])])) as Counts;
}

/** A report of today with the figures that it had. */
function withFigures(unit: SignedUnit, figures: ReportFigures): SignedUnit {
  return {
    ...unit,
    opening: numberOf(figures.opening),
    counts: countsOf(figures),
    closing: numberOf(figures.closing),
    present: numberOf(figures.present),
    service_days: numberOf(figures.service_days),
    beds: {
      licensed: numberOf(figures.beds_licensed) ?? 0,
      physical: numberOf(figures.beds_physical) ?? 0,
      staffed: numberOf(figures.beds_staffed) ?? 0,
      surge: numberOf(figures.beds_surge) ?? 0,
      blocked: numberOf(figures.beds_blocked) ?? 0,
    },
    variance_reason: textOf(figures.variance_reason),
    capacity_reason: textOf(figures.capacity_reason),
  };
}
