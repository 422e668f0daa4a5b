import { expect, type Locator, type Page } from '@playwright/test';
import { SUMMED_FIELDS, type SummedField } from '@wardline/contract/census/census.ts';
import { v7 as newId } from 'uuid';
import type { HttpPerson } from '../http-person.ts';
import type { WardlineProcess } from '../servers/wardline-process.ts';

/** A report's address, as the server and the page take it. */
export interface ReportPlace {
  readonly facility: string;
  readonly unit: string;
  readonly date: string;
  readonly population: string;
}

/** What the journeys look at in a report. */
export interface StoredReport {
  readonly status: string;
  readonly version: number;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly counts: Readonly<Record<string, number | null>>;
  readonly transfers: ReadonlyArray<{
    readonly unit_id: string;
    readonly direction: 'in' | 'out';
    readonly mine: number | null;
    readonly theirs: number | null;
  }>;
  readonly discussion_chat_id: string | null;
}

interface Board {
  readonly census_date: string;
  readonly units: ReadonlyArray<{ readonly unit_id: string; readonly unit_code: string; readonly population: string }>;
}

/** The report of a unit of the person's facilities, of the newest census date or so many days before it. */
export async function reportOf(person: HttpPerson, unitCode: string, daysBack = 0): Promise<ReportPlace> {
  const { data: facilities } = await person.get<{ data: { id: string }[] }>('/api/facilities');
  for (const { id: facility } of facilities) {
    const board = await person.get<Board>(`/api/census/facilities/${facility}/board`);
    const unit = board.units.find((one) => one.unit_code === unitCode);
    if (unit === undefined) continue;
    const newest = Date.parse(`${board.census_date}T00:00:00Z`);
    const date = new Date(newest - daysBack * 86_400_000).toISOString().slice(0, 10);
    return { facility, unit: unit.unit_id, date, population: unit.population };
  }
  throw new Error(`${unitCode} is on no board of this person.`);
}

export const apiPath = ({ unit, date, population: of }: ReportPlace) => `/api/census/units/${unit}/days/${date}/${of}`;

export const pagePath = ({ unit, date, population: of }: ReportPlace) =>
  `/census-unit?unit=${unit}&date=${date}&population=${of}`;

export function readReport(person: HttpPerson, place: ReportPlace): Promise<StoredReport> {
  return person.get<StoredReport>(apiPath(place));
}

/** Writes a day on which only those moved whom the other units already tell of; what differs is given. */
export async function writeReport(
  person: HttpPerson,
  place: ReportPlace,
  { submit, counts = {} }: { readonly submit: boolean; readonly counts?: Readonly<Record<string, number>> },
): Promise<StoredReport> {
  const { version, opening, transfers } = await readReport(person, place);
  const moved = (wanted: 'in' | 'out') =>
    transfers.reduce((sum, { direction, theirs }) => sum + (direction === wanted ? (theirs ?? 0) : 0), 0);
  const quiet = Object.fromEntries(SUMMED_FIELDS.map((field) => [field, 0])) as Record<SummedField, number>;
  const all = { ...quiet, transfers_in: moved('in'), transfers_out: moved('out'), ...counts };
  const closing =
    (opening ?? 0) + all.admissions + all.births + all.transfers_in - all.discharges - all.deaths - all.transfers_out;
  const answer = await person.send('PUT', apiPath(place), {
    client_id: newId(),
    version,
    counts: { counted: closing - all.on_leave, ...all },
    transfers: transfers.map(({ unit_id, direction, theirs }) => ({ unit_id, direction, count: theirs ?? 0 })),
    submit,
  });
  if (answer?.status !== 200) throw new Error(`The report was not stored: ${JSON.stringify(answer)}`);
  return answer.body as StoredReport;
}

/**
 * Whatever the hour, what is not in of the newest date is missing: its deadline lies two hours back, and in the first hours
 * after midnight the facility's clock is three hours on, which is later on the same date.
 */
export async function passDeadline(wardline: WardlineProcess): Promise<void> {
  await wardline.asDatabaseOwner(`
    update facility_days day set due_at = now() - interval '2 hours'
    where census_date = (
      select max(census_date) from facility_days where facility_no = day.facility_no and census_at <= now());
    update census_hours set time_zone = 'Etc/GMT-3' where extract(hour from now() at time zone time_zone) < 3`);
}

/** Opens a report and waits until its sheet is there. */
export async function openReport(page: Page, place: ReportPlace): Promise<Page> {
  await page.goto(pagePath(place));
  await expect(sheet(page)).toBeVisible();
  return page;
}

export function sheet(page: Page): Locator {
  return page.getByRole('form', { name: /^Report of/ });
}

/** A count of the sheet. */
export function count(page: Page, label: string): Locator {
  return sheet(page).getByRole('textbox', { name: label, exact: true });
}

export function submitButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Submit / }).locator('visible=true');
}

/** Submits, and says that what the page asks about is right: what is unusual in the demo hangs on the weekday. */
export async function submitReport(page: Page): Promise<void> {
  await submitButton(page).click();
  await confirmUnusual(page);
}

/** Answers the question about unusual counts, if it is asked; it stands as soon as the report was to be submitted. */
export async function confirmUnusual(page: Page): Promise<void> {
  const yes = page.getByRole('button', { name: 'Yes, submit' });
  if (await yes.isVisible()) await yes.click();
}

/** What the server has taken, in the words of the page. */
export function receipt(page: Page): Locator {
  return page.getByRole('main').getByText(/^Report for .+ submitted .+, (on time|late)\.$/);
}
