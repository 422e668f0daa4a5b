import { expect, type Locator, type Page } from '@playwright/test';
import type { HttpPerson } from '../http-person.ts';
import { count, openReport, type ReportPlace, readReport, sheet, submitReport } from './census-reports.ts';

/** The field is marked, and the words stand at it. */
export async function expectWrong(field: Locator, text: string | RegExp): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(text);
}

/** A sheet on which nobody came or went, as the server has it; only the ward is not walked yet. */
export async function openQuietSheet(page: Page, person: HttpPerson, place: ReportPlace): Promise<void> {
  await openReport(page, place);
  await page.getByRole('button', { name: 'Nothing changed' }).click();
  await count(page, 'Head count').fill('');
  await expect
    .poll(async () => (await readReport(person, place)).counts)
    .toMatchObject({ admissions: 0, discharges: 0, deaths: 0, ad_same_day: 0, on_leave: 0, counted: null });
}

const FIELDS: Readonly<Record<string, string>> = {
  Admissions: 'admissions',
  Discharges: 'discharges',
  Deaths: 'deaths',
  'Head count': 'counted',
};

interface Refused {
  readonly person: HttpPerson;
  readonly place: ReportPlace;
  /** What is right and typed before, by the label of its field. */
  readonly typed: Readonly<Record<string, string>>;
  /** The label of the field that is named, and what is typed there. */
  readonly at: readonly [label: string, text: string];
  readonly text: string;
}

/** Types what cannot be, submits, reads the words at the field, and finds nothing stored and nothing lost after a reload. */
export async function expectSheetRefused(page: Page, { person, place, typed, at, text }: Refused): Promise<void> {
  await openQuietSheet(page, person, place);
  const right = Object.entries(typed);
  for (const [label, text] of right) await count(page, label).fill(text);
  const counts = Object.fromEntries(right.map(([label, text]) => [FIELDS[label], Number(text)]));
  await expect.poll(async () => (await readReport(person, place)).counts).toMatchObject(counts);
  const { version } = await readReport(person, place);
  await count(page, at[0]).fill(at[1]);
  await submitReport(page);
  await expectWrong(count(page, at[0]), text);
  await expect(count(page, at[0])).toBeFocused();
  await openReport(page, place);
  for (const [label, text] of [...right, at]) await expect(count(page, label)).toHaveValue(text);
  await expectUntouched(person, place, version);
}

/** The server has the report of that version, and nobody handed it in. */
export async function expectUntouched(person: HttpPerson, place: ReportPlace, version: number): Promise<void> {
  expect(await readReport(person, place)).toMatchObject({ status: 'draft', version });
}

/** A figure of the sheet that is no field. */
export function told(page: Page, label: string): Locator {
  return sheet(page).getByRole('status', { name: label, exact: true });
}
