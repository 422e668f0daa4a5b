// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ImportRow, importCensus } from '@wardline/contract/census/exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { stBrigid } from '#/testing/fake-chats.ts';
import { FilesMenu } from './files-menu.tsx';

type Report = ReplyOf<typeof importCensus>;

const row = (line: number, more: Partial<ImportRow> = {}): ImportRow => ({
  line,
  unit_code: 'MED 3A',
  census_date: '2026-11-17',
  population: 'adult_and_child',
  outcome: 'changed',
  problems: [],
  ...more,
});

const tried = (more: Partial<Report> = {}): Report => ({
  is_applied: false,
  file_hash: 'ab'.repeat(32),
  counts: { new: 1, changed: 1, unchanged: 5, refused: 0 },
  rows: [row(2, { outcome: 'new' }), row(3), row(4, { outcome: 'unchanged' })],
  ...more,
});

const refused = tried({
  counts: { new: 1, changed: 0, unchanged: 0, refused: 1 },
  rows: [
    row(3, {
      outcome: 'refused',
      problems: [{ column: 'discharges', code: 'NOT_WHOLE', message: 'Discharges must be a whole number.' }],
    }),
    row(2, { outcome: 'new' }),
  ],
});

const file = new File(['unit_code\r\n'], 'november.csv', { type: 'text/csv' });

afterEach(() => {
  pageToasts.get()?.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What the server says to an import; 'held' for one that it still works on. */
type Answer = Report | Response | 'held';

/** The menu over a server that gives these answers to imports, one after the other. */
function setUp(answers: readonly Answer[] = []) {
  const app = createFakeApp();
  let signal: AbortSignal | null | undefined;
  const sent: { readonly line: string; readonly file: unknown }[] = [];
  const onOpen = vi.fn();
  app.api.around = async ({ line, init }, go) => {
    if (!line.startsWith('POST /api/census/imports')) return await go();
    sent.push({ line, file: (init.body as FormData).get('file') });
    const answer = answers[sent.length - 1];
    if (answer === 'held') {
      signal = init.signal;
      return await new Promise<Response>(() => undefined);
    }
    return answer instanceof Response ? answer : Response.json(answer);
  };
  app.draw(
    <FilesMenu
      facility={stBrigid}
      from="2026-11-01"
      to="2026-11-30"
      formatRange="November 2026"
      sheets={[{ title: 'Monthly compilation', onOpen }]}
    />,
  );
  const choose = (item: string) => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'Files' }), { key: 'Enter' });
    fireEvent.click(screen.getByRole('menuitem', { name: item }));
  };
  return { ...app, sent, choose, onOpen, held: () => signal };
}

/** The dialog with a file handed to it. */
async function importFile(answers: readonly Answer[]) {
  const { choose, sent, held } = setUp(answers);
  choose('Import a file');
  const dialog = await screen.findByRole('dialog', { name: `Import into ${stBrigid.name}` });
  const give = () => {
    const input = dialog.querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(input, { target: { files: [file] } });
  };
  give();
  return { dialog, sent, give, held };
}

describe('a file out of the census', () => {
  it('CEN-6 CEN-8 a PDF is a sheet of the range, which the browser prints into a file', () => {
    const { choose, onOpen } = setUp();
    choose('Monthly compilation, PDF');
    expect(onOpen).toHaveBeenCalledOnce();
  });

  it.each([
    ['Unit reports, XLSX', 'unit-days', '&format=xlsx'],
    ['Unit reports, CSV', 'unit-days', '&format=csv'],
    ['FHIR MeasureReport, SANER', 'saner-measure-report', ''],
    ['FHIR MeasureReport, US SAFR', 'safr-measure-report', ''],
    ['Bed capacity, SANER CSV', 'saner-csv', ''],
    ['Bed capacity, NHSN CSV', 'nhsn-csv', ''],
    ['Template of reports due, XLSX', 'template', '&format=xlsx'],
    ['Measures, XLSX', 'measures', '&format=xlsx&by=day'],
    ['Measures, CSV', 'measures', '&format=csv&by=day'],
  ])('CEN-8 F-N18 %s is kept under the server’s name', async (item, kind, format) => {
    const { choose } = setUp();
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return new Response('x', { headers: { 'Content-Disposition': 'attachment; filename="census-SB.csv"' } });
    });
    const kept: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    choose(item);
    await waitFor(() => expect(kept).toEqual(['census-SB.csv']));
    expect(asked[0]).toContain(
      `/api/census/exports/${kind}?facility=${stBrigid.id}&from=2026-11-01&to=2026-11-30${format}`,
    );
  });

  it('CEN-8 says for which dates, and that and why a file was not made', async () => {
    const { choose } = setUp();
    vi.stubGlobal('fetch', async () => Response.json({ message: 'You may not export.' }, { status: 403 }));
    choose('Unit reports, CSV');
    await waitFor(() => {
      const [toast] = pageToasts.get()?.get() ?? [];
      expect([toast?.title, toast?.description]).toEqual(['The file was not made', 'You may not export.']);
    });
    const button = screen.getByRole('button', { name: 'Files' });
    expect(button.getAttribute('aria-busy')).toBeNull();
    fireEvent.keyDown(button, { key: 'Enter' });
    expect(screen.getByText('Export November 2026')).toBeTruthy();
  });
});

describe('F-C4 UI-2 a file that takes long', () => {
  function slowFile() {
    let end = () => {};
    let signal: AbortSignal | null | undefined = null;
    const parts = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(1_234_000));
        end = () => controller.close();
      },
    });
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      signal = init.signal;
      return new Response(parts, { headers: { 'Content-Disposition': 'attachment; filename="census-SB.csv"' } });
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const kept: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    return { end: () => end(), kept, isStopped: () => signal?.aborted };
  }

  it('F-C4 UI-2 keeps its button busy, tells how much has come, and goes when all of it is there', async () => {
    const { choose } = setUp();
    const { end, kept } = slowFile();
    choose('Unit reports, CSV');
    const dialog = await screen.findByRole('dialog', { name: 'Exporting census-unit-days' }, { timeout: 5000 });
    expect(await within(dialog).findByText('1.2 MB received')).toBeTruthy();
    expect(within(dialog).getByRole('progressbar').getAttribute('data-state')).toBe('indeterminate');
    expect(screen.getByText('Files').closest('button')?.getAttribute('aria-busy')).toBe('true');
    expect(kept).toEqual([]);
    end();
    await waitFor(() => expect(kept).toEqual(['census-SB.csv']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Files' }).getAttribute('aria-busy')).toBeNull();
  });

  it('F-C4 UI-2 can be cancelled: nothing is kept, nothing is complained about', async () => {
    const { choose } = setUp();
    const { kept, isStopped } = slowFile();
    choose('Unit reports, CSV');
    const dialog = await screen.findByRole('dialog', { name: 'Exporting census-unit-days' }, { timeout: 5000 });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(isStopped()).toBe(true));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Files' }).getAttribute('aria-busy')).toBeNull();
    expect(kept).toEqual([]);
    expect(pageToasts.get()?.get() ?? []).toEqual([]);
  });
});

describe('a file into the census', () => {
  it('CEN-8 is tried first and shows what each line becomes, without those that stay as they are', async () => {
    const { dialog, sent } = await importFile([tried()]);
    expect(await within(dialog).findByText('1 line new, 1 changed, 5 unchanged. Nothing is stored yet.')).toBeTruthy();
    expect(sent[0]?.line).toBe(`POST /api/census/imports?facility=${stBrigid.id}&apply=false`);
    expect(sent[0]?.file).toHaveProperty('name', 'november.csv');
    const rows = within(within(dialog).getByRole('table', { name: 'Result of each line' })).getAllByRole('row');
    const cells = rows.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent?.trim()));
    expect(cells.slice(1).map((line) => line.join(' '))).toEqual([
      expect.stringContaining('New'),
      expect.stringContaining('Changed'),
    ]);
  });

  it('CEN-8 is stored when it is asked for, whole, and the dialog says so', async () => {
    const stored = tried({ is_applied: true, rows: [] });
    const { dialog, sent } = await importFile([tried(), stored]);
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Import 2 reports' }));
    expect(await within(dialog).findByText('2 lines stored, 5 unchanged.')).toBeTruthy();
    expect(sent.map(({ line }) => line.slice(-11))).toEqual(['apply=false', '&apply=true']);
    expect(within(dialog).queryByRole('button', { name: /^Import/ })).toBeNull();
    expect(dialog.querySelector('input[type=file]')).toBeNull();
    const close = within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement;
    act(() => close.click());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('CEN-8 with one line that cannot be taken is not stored, and says which column and why', async () => {
    const { dialog } = await importFile([refused]);
    expect(
      await within(dialog).findByText('1 line refused, so nothing was imported. Correct the file and choose it again.'),
    ).toBeTruthy();
    expect(within(dialog).getByText('Refused')).toBeTruthy();
    expect(within(dialog).getByText('Discharges must be a whole number.').textContent).toBe(
      'discharges Discharges must be a whole number.',
    );
    expect(within(dialog).queryByRole('button', { name: /^Import/ })).toBeNull();
  });

  it('CEN-8 that says nothing new offers nothing to store', async () => {
    const counts = { new: 0, changed: 0, unchanged: 7, refused: 0 };
    const { dialog } = await importFile([tried({ counts, rows: [row(2, { outcome: 'unchanged' })] })]);
    expect(await within(dialog).findByText('Everything in the file is stored already.')).toBeTruthy();
    expect(within(dialog).queryByRole('table')).toBeNull();
    expect(within(dialog).queryByRole('button', { name: /^Import/ })).toBeNull();
  });

  it('F-C4 UI-2 shows that it is on its way, and can be cancelled before it is stored', async () => {
    const { dialog, held } = await importFile([tried(), 'held', tried()]);
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Import 2 reports' }));
    expect(await within(dialog).findByText('Storing the reports')).toBeTruthy();
    expect(within(dialog).getByRole('progressbar').getAttribute('data-state')).toBe('indeterminate');
    const [cancel] = within(dialog).getAllByRole('button', { name: 'Cancel' });
    act(() => cancel?.click());
    expect(
      await within(dialog).findByText('Cancelled. Choose the file again to see whether it was stored.'),
    ).toBeTruthy();
    expect(held()?.aborted).toBe(true);
    expect(within(dialog).queryByRole('progressbar')).toBeNull();
    expect(within(dialog).queryByRole('button', { name: /^Import/ })).toBeNull();
  });

  it('F-C4 UI-2 is given up when its dialog is closed while it is tried', async () => {
    const { dialog, held } = await importFile(['held']);
    expect(await within(dialog).findByText('Checking the lines of the file')).toBeTruthy();
    const close = within(dialog)
      .getAllByRole('button', { name: /^(Cancel|Close)$/ })
      .at(-1) as HTMLElement;
    act(() => close.click());
    await waitFor(() => expect(held()?.aborted).toBe(true));
  });

  it('CEN-8 that cannot be read says why and takes another', async () => {
    const wrong = Response.json({ message: 'This is not a spreadsheet.' }, { status: 422 });
    const { dialog, give } = await importFile([wrong, tried()]);
    expect(await within(dialog).findByText('This is not a spreadsheet.')).toBeTruthy();
    give();
    expect(await within(dialog).findByRole('button', { name: 'Import 2 reports' })).toBeTruthy();
    expect(within(dialog).queryByText('This is not a spreadsheet.')).toBeNull();
  });
});
