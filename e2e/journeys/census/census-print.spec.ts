import { expect, type Page } from '@playwright/test';
import { v7 as newId } from 'uuid';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { apiPath, readReport, reportOf } from '../../support/census/census-reports.ts';
import {
  compiled,
  dayFoot,
  dayOf,
  dayRow,
  figure,
  monthOf,
  type PrintedDay,
  type PrintedMonth,
  share,
  unitLines,
} from '../../support/census/census-sheets.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY, nightlyUnless } from '../../support/nightly.ts';
import { type ReadPage, readPdf } from '../../support/read-pdf.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

/** In points, the short side first. */
const PAPERS = { A4: [595, 842], Letter: [612, 792] } as const;
type Paper = keyof typeof PAPERS;
const SIGNED_DAYS_BACK = 3;
/** The demo hospital has reported for two years; its units are expected before that as well. */
const DAYS_BEFORE_THE_DEMO = 800;

let wardline: WardlineProcess;
let officer: HttpPerson;
let ruth: BrowserPerson;
let facility: string;
let newest: string;
let signed: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  officer = await signInOverHttp(wardline.baseUrl, 'officer@demo.test');
  ({ facility, date: newest } = await reportOf(officer, 'MED 3A'));
  signed = (await reportOf(officer, 'MED 3A', SIGNED_DAYS_BACK)).date;
  ruth = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test');
});
test.afterAll(async () => {
  await ruth?.context.close();
  await wardline?.stop();
});

/** The sheet as the printer's own dialog would keep it. */
async function printed(page: Page, address: string, paper: Paper): Promise<ReadPage[]> {
  await openAndSettle(page, `/census-summary?${address}`);
  await expect(page.getByRole('article').first()).toBeVisible();
  const pages = await readPdf(await page.pdf({ format: paper }));
  for (const { width, height, lines } of pages) {
    expect([Math.min(width, height), Math.max(width, height)].map(Math.round)).toEqual(
      PAPERS[paper].map((side) => expect.closeTo(side, -0.5)),
    );
    expect(lines.join('\n')).not.toMatch(/Back to the summary|Print or save as PDF|Dashboard|Wardline/);
  }
  return pages;
}

interface Foot {
  readonly reported: number;
  readonly expected: number;
  /** The head of the log, where the day was signed. */
  readonly head: string | null;
}

/** Each page says from when, by whom, how whole and with which head; and which page it is. */
function expectFoot(pages: readonly ReadPage[], { reported, expected, head }: Foot): void {
  for (const [index, { lines }] of pages.entries()) {
    const text = lines.join('\n');
    const complete = `Complete: ${figure(reported)} of ${figure(expected)} reports, ${share(reported, expected, 100)} %`;
    expect(text).toMatch(
      /Generated \w+ \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC\+0[01]:00 \(Europe\/Dublin\) by Ruth Calloway\./,
    );
    expect(text).toContain(complete);
    expect(text).toContain(head ?? 'Not signed, so there is no log head.');
    expect(lines).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(lines[0]).toBe('St. Brigid General');
  }
}

const linesOf = (pages: readonly ReadPage[]) => pages.flatMap(({ lines }) => lines);

function expectTransfers(lines: readonly string[], day: PrintedDay, of: 'adult_and_child' | 'newborn'): void {
  const cells = day.transfers.filter((cell) => cell.population === of);
  const inMatrix = day.units.filter(
    (unit) =>
      unit.population === of &&
      cells.some(({ from_unit_id, to_unit_id }) => [from_unit_id, to_unit_id].includes(unit.unit_id)),
  );
  for (const from of inMatrix) {
    const text = inMatrix.filter((to) => to !== from).map((to) => formatMove(cells, from, to));
    expect(lines).toContain([from.unit_code, ...text].join(' '));
  }
}

type Unit = PrintedDay['units'][number];

/** A dot where nobody moved, a star where one side has not reported, both sides where they differ. */
function formatMove(cells: PrintedDay['transfers'], from: Unit, to: Unit): string {
  const cell = cells.find((one) => one.from_unit_id === from.unit_id && one.to_unit_id === to.unit_id);
  if (cell === undefined) return '·';
  const isOneSided = from.closing === null || to.closing === null;
  if (isOneSided) return `${figure(cell.out_count ?? cell.in_count)}*`;
  const [out, into] = [cell.out_count ?? 0, cell.in_count ?? 0];
  return out === into ? figure(out) : `${out} · ${into} !`;
}

for (const paper of ['A4', 'Letter'] as const) {
  test(
    `CEN-6 the facility daily census on ${paper}, read back from its PDF, says of each unit what the server says`,
    nightlyUnless(paper === 'A4'),
    async () => {
      for (const date of [newest, signed]) {
        const day = await dayOf(officer, facility, date);
        const pages = await printed(ruth.page(), `by=day&from=${date}&to=${date}&print=day`, paper);
        expect(pages.every(({ width, height }) => width > height)).toBe(true);
        expectFoot(pages, { reported: day.units_submitted, expected: day.units_expected, head: day.log_head });
        const lines = linesOf(pages);
        for (const unit of day.units) {
          expect(lines.filter((line) => line.startsWith(`${dayRow(unit)} `))).toHaveLength(1);
        }
        expect(lines).toContain(dayFoot(day));
        for (const of of ['adult_and_child', 'newborn'] as const) expectTransfers(lines, day, of);
        expect(lines).toContain('Compiled by Signed for the facility');
      }
    },
  );

  test(
    `CEN-6 the sheets of the units on ${paper} are one page each, with lines to sign on`,
    nightlyUnless(paper === 'A4'),
    async () => {
      const day = await dayOf(officer, facility, signed);
      const pages = await printed(ruth.page(), `by=day&from=${signed}&to=${signed}&print=units`, paper);
      expect(pages).toHaveLength(day.units.length);
      expectFoot(pages, { reported: 1, expected: 1, head: day.log_head });
      for (const [index, unit] of day.units.entries()) {
        const { lines = [] } = pages[index] ?? {};
        expect(lines.join('\n')).toContain(`Unit daily census: ${unit.unit_code}, ${unit.unit_name}`);
        expect(lines).toEqual(expect.arrayContaining(unitLines(unit)));
        expect(lines).toContain('Reported by Reviewed by');
      }
    },
  );

  test(
    `CEN-6 the monthly compilation on ${paper} has a row for each day and the sums under all of them`,
    nightlyUnless(paper === 'A4'),
    async () => {
      const { month, range, last } = await wholeMonth();
      const pages = await printed(ruth.page(), `by=month&from=${range.from}&print=month`, paper);
      expectFoot(pages, { ...reportsOf(month), head: last.log_head });
      const lines = linesOf(pages);
      const rows = month.steps.map(({ from, sums }) => ({ day: Number(from.slice(8)), text: compiled(sums) }));
      for (const { day, text } of rows) {
        expect(lines.filter((line) => line.replace(/^\w+ (\d+) \w+\*? /, '$1 ') === `${day} ${text}`)).toHaveLength(1);
      }
      expect(lines.filter((line) => line.replace(/^Sum\*? /, '') === compiled(month.total, true))).toHaveLength(1);
      expect(lines).toContain('Compiled by Checked by');
    },
  );

  test(
    `CEN-6 the DOH report on ${paper} says what the server’s sums come to`,
    nightlyUnless(paper === 'A4'),
    async () => {
      const { month, range, last } = await wholeMonth();
      const pages = await printed(ruth.page(), `by=month&from=${range.from}&print=doh`, paper);
      expect(pages).toHaveLength(1);
      expectFoot(pages, { ...reportsOf(month), head: last.log_head });
      const lines = linesOf(pages).map((line) => line.replaceAll('*', ''));
      for (const line of dohLines(month)) expect(lines.filter((one) => one.startsWith(line))).toHaveLength(1);
      expect(lines).toContain('Prepared by Chief of hospital');
    },
  );
}

test('CEN-6 paper says nothing of what nobody has handed in: a dash in each sum, not 0', { tag: NIGHTLY }, async () => {
  const date = (await reportOf(officer, 'MED 3A', DAYS_BEFORE_THE_DEMO)).date;
  const day = await dayOf(officer, facility, date);
  expect([day.units_submitted, day.units.length]).toEqual([0, 8]);
  const sheet = linesOf(await printed(ruth.page(), `by=day&from=${date}&to=${date}&print=day`, 'A4'));
  expect(sheet).toContain(`Reports that are in ${'– '.repeat(15)}0 of 8*`);
  const month = `by=month&from=${date.slice(0, 8)}01`;
  const compilation = linesOf(await printed(ruth.page(), `${month}&print=month`, 'A4'));
  expect(compilation.join(' ')).toContain('Average daily census: adults and children –, newborn –.');
  expect(compilation.filter((line) => /^Sum\* (– ){15}0 of /.test(line))).toHaveLength(1);
  const doh = linesOf(await printed(ruth.page(), `${month}&print=doh`, 'A4'));
  expect(doh.filter((line) => / – no report is in$/.test(line))).toHaveLength(20);
});

test('CEN-6 a compilation over several pages heads and signs each of them, and gives its sum once', {
  tag: NIGHTLY,
}, async () => {
  const pages = await printed(ruth.page(), 'by=quarter&print=month', 'A4');
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, { lines }] of pages.entries()) {
    expect(lines).toContain('St. Brigid General');
    expect(lines.some((line) => line.startsWith('Generated '))).toBe(true);
    expect(lines.some((line) => line.startsWith('Sum'))).toBe(index === pages.length - 1);
    expect(lines.filter((line) => line.startsWith('Day Adm.'))).toHaveLength(1);
  }
});

test('CEN-6 CEN-8 the files menu leads to the sheets of the period, which the log calls printed', async () => {
  const page = ruth.page();
  await openAndSettle(page, `/census-summary?by=day&from=${signed}&to=${signed}`);
  await page.getByRole('button', { name: 'Files' }).click();
  await page.getByRole('menuitem', { name: 'Facility daily census, PDF' }).click();
  await expect(page.getByRole('article', { name: /^Facility daily census, / })).toBeVisible();
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  const noted = page.waitForResponse((answer) => answer.url().endsWith('/prints'));
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  expect((await noted).status()).toBe(204);
});

test('F-N1 CEN-6 a signed day prints what was signed after an earlier day was corrected, and beside it what was restated', async () => {
  const was = await dayOf(officer, facility, signed);
  const reason = 'A discharge slip came late';
  await correctDayBefore(reason);
  const now = await dayOf(officer, facility, signed);
  const lines = linesOf(await printed(ruth.page(), `by=day&from=${signed}&to=${signed}&print=day`, 'A4'));
  for (const unit of was.units) expect(lines.filter((line) => line.startsWith(`${dayRow(unit)} `))).toHaveLength(1);
  expect(lines).toContain(dayFoot(was));
  const [before, after] = [was, now].map((day) => day.units.find(({ unit_code }) => unit_code === 'MED 3A'));
  expect(after?.closing).toBe((before?.closing ?? 0) - 1);
  for (const [label, field] of [
    ['Opening', 'opening'],
    ['Closing', 'closing'],
    ['Present', 'present'],
    ['Service days', 'service_days'],
  ] as const) {
    const row = `MED 3A ${label} ${figure(before?.[field])} ${figure(after?.[field])} `;
    expect(lines.filter((line) => line.startsWith(row))).toHaveLength(1);
  }
  const text = lines.join(' ');
  expect(text).toContain('Restated since it was signed. What was signed stands above.');
  // Cells wrap: who and why stand side by side, line by line.
  expect(text).toMatch(/, Ruth\b.* late slip: A discharge slip/);
  const { signed: kept } = await officer.get<{ signed: { hash: string } }>(
    `/api/census/facilities/${facility}/days/${signed}/signed`,
  );
  expect(text.replaceAll(' ', '')).toContain(`SHA-256ofwhatwassigned:${kept.hash}`);
});

/** One more was discharged from MED 3A on the day before the signed one than its report had said. */
async function correctDayBefore(reason: string): Promise<void> {
  const owen = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  const place = await reportOf(officer, 'MED 3A', SIGNED_DAYS_BACK + 1);
  const why = { reason_code: 'late_slip', reason };
  const act = async (person: HttpPerson, method: string, path: string, body: object) => {
    const answer = await person.send(method, path, { client_id: newId(), ...body });
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body as { version: number };
  };
  const { version } = await officer.get<{ version: number }>(
    `/api/census/facilities/${place.facility}/days/${place.date}`,
  );
  await act(officer, 'POST', `/api/census/facilities/${place.facility}/days/${place.date}/reopen`, { version, ...why });
  const stored = await readReport(officer, place);
  const open = await act(officer, 'POST', `${apiPath(place)}/amend`, { version: stored.version, ...why });
  const { counts, transfers } = stored;
  const given = await act(owen, 'PUT', apiPath(place), {
    version: open.version,
    counts: { ...counts, discharges: (counts['discharges'] ?? 0) + 1, counted: (counts['counted'] ?? 0) - 1 },
    transfers: transfers.flatMap(({ unit_id, direction, mine }) => (mine ? [{ unit_id, direction, count: mine }] : [])),
    submit: true,
  });
  await act(officer, 'POST', `${apiPath(place)}/approve`, { version: given.version });
}

/** The newest month that is over, with its last day. */
async function wholeMonth() {
  const [year = 0, month = 1] = newest.split('-').map(Number);
  const from = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 10);
  const to = new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, 10);
  const range = { from, to };
  return { range, month: await monthOf(officer, facility, range), last: await dayOf(officer, facility, to) };
}

function reportsOf({ total: { adult_and_child, newborn } }: PrintedMonth) {
  const both = (field: string) => (adult_and_child[field] ?? 0) + (newborn[field] ?? 0);
  return { reported: both('units_reported'), expected: both('units_expected') };
}

function dohLines({ total: { adult_and_child: sums, newborn } }: PrintedMonth): string[] {
  const sum = (field: string) => sums[field] ?? 0;
  const late = sum('deaths') - sum('deaths_u48');
  const separations = sum('discharges') + sum('deaths');
  return [
    `Authorised bed days ${figure(sum('licensed_bed_days'))} `,
    `Implementing bed days ${figure(sum('staffed_bed_days'))} `,
    `Total inpatient service days ${figure(sum('service_days'))} `,
    `Service days in these beds ${figure(sum('occupancy_service_days'))} `,
    `Bed occupancy rate, by authorised beds ${share(sum('occupancy_service_days'), sum('licensed_bed_days'), 100)} % `,
    `Average daily census ${share(sum('service_days'), sum('days'))} `,
    `Admissions ${figure(sum('admissions'))} `,
    `Discharges alive ${figure(sum('discharges'))} `,
    `Admitted and discharged on the same day ${figure(sum('ad_same_day'))} `,
    `Separations ${figure(separations)} `,
    `Deaths ${figure(sum('deaths'))}`,
    `Deaths under 48 hours ${figure(sum('deaths_u48'))}`,
    `Deaths, 48 hours and over ${figure(late)}`,
    `Gross death rate ${share(sum('deaths'), separations, 100)} % `,
    `Net death rate ${share(late, separations - sum('deaths_u48'), 100)} % `,
    `Length of stay, estimated ${share(sum('service_days'), separations)} `,
    `Live births ${figure(newborn['births'])}`,
    `Newborn service days ${figure(newborn['service_days'])}`,
  ];
}
