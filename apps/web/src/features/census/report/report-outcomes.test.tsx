// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { transportError } from '@wardline/client/http/api-error.ts';
import { CircleAlert } from 'lucide-react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageToasts, showToast } from '#/shared/contexts/show-toast.ts';
import { SAVE_AFTER_MS } from './engine/report-editor.ts';
import { fakeDay, fromIcu, ICU_ID } from './testing/fake-report.ts';
import { field, openedSheet, openPage } from './testing/open-report-page.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const buttons = (text: string) => screen.getAllByText(text).flatMap((part) => part.closest('button') ?? []);
const press = (text: string) =>
  buttons(text)
    .slice(0, 1)
    .forEach((button) => void fireEvent.click(button));
const linkOf = (name: string) => screen.getByRole('link', { name });
const hasFocusAround = (text: HTMLElement) =>
  waitFor(() => expect(text.closest('[tabindex="-1"]')).toBe(document.activeElement));
/** A day on which nobody came or went, counted and handed in from the button, which has the focus then. */
function handIn(): void {
  press('Nothing changed');
  write('Head count', '24');
  buttons('Submit Thu 19 Nov')[0]?.focus();
  press('Submit Thu 19 Nov');
}

/** From now on nothing that is sent arrives. */
function cutOff({ api }: ReturnType<typeof openPage>['app']): void {
  api.around = async ({ line }, go) => {
    if (line.startsWith('PUT')) throw transportError('network', 'offline');
    return await go();
  };
}

describe('what became of a report', () => {
  it('CEN-1 CEN-2 a report that waits for the network takes the focus that the button had, and the phone’s bar says it', async () => {
    const { app } = openPage(fakeDay());
    await openedSheet();
    cutOff(app);
    handIn();
    const waits = await screen.findByText('Submitted on this device.');
    await hasFocusAround(waits);
    expect(screen.getByLabelText('Submit').textContent).toContain('Submitted on this device');
  });

  it('CEN-2 what is taken back before it has gone out is a draft again, with the focus where it is submitted', async () => {
    const { app } = openPage(fakeDay());
    await openedSheet();
    cutOff(app);
    handIn();
    await screen.findByText('Take back');
    buttons('Take back')[0]?.focus();
    press('Take back');
    await screen.findAllByText('Submit Thu 19 Nov');
    await waitFor(() => expect(document.activeElement).toBe(buttons('Submit Thu 19 Nov')[0]));
  });

  it('CEN-1 the receipt of the last report that is owed has the focus, since there is no next', async () => {
    const { server } = openPage(fakeDay());
    server.hasNext = false;
    await openedSheet();
    await waitFor(() => expect(screen.queryByText('MED 3A, Fri 20 Nov')).toBeNull());
    handIn();
    const receipt = await screen.findByText(/Report for Thu 19 Nov submitted Fri 20 Nov at 00:38, on time\./);
    await hasFocusAround(receipt);
  });

  it('CEN-10 the receipt leads to the chat in which a difference is asked about, and the next report has the focus', async () => {
    const { server } = openPage(fakeDay());
    await openedSheet();
    server.day = { ...server.day, discussion_chat_id: '01970000-0000-7000-8000-00000000c0de' };
    handIn();
    await screen.findByText(/Report for Thu 19 Nov submitted/);
    expect(linkOf('Open discussion').getAttribute('href')).toContain('01970000-0000-7000-8000-00000000c0de');
    await waitFor(() => expect(document.activeElement).toBe(linkOf('Next: MED 3A, Fri 20 Nov')));
  });

  it('CEN-2 a draft that the server refuses for no field of it says so and why, and goes again when asked', async () => {
    const { app, server } = openPage(fakeDay());
    await openedSheet();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    app.api.around = async ({ line }, go) =>
      line.startsWith('PUT') ? Response.json({ message: 'No.', code: 'forbidden' }, { status: 403 }) : await go();
    write('Admissions', '3');
    await act(() => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS));
    await screen.findByText('The draft is not saved.');
    screen.getByText(/You can’t report for this unit any more\. What you typed is kept on this device\./);
    expect(screen.getAllByText('Not saved')).toHaveLength(2);
    expect(field('Admissions').value).toBe('3');
    app.answer();
    press('Try again');
    await waitFor(() => expect(server.seen).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText('The draft is not saved.')).toBeNull());
  });

  it('F-N14 CEN-2 a report that this device could not keep is told as a failure, and not with the tick of success', async () => {
    const { store } = openPage(fakeDay());
    await openedSheet();
    store.addOutbox = () => Promise.reject(new Error('full'));
    handIn();
    const said = () => (pageToasts.get()?.get() ?? []).filter(({ title }) => title.startsWith('This device could not'));
    await waitFor(() => expect(said()).toMatchObject([{ colour: 'error', icon: CircleAlert }]));
  });

  it('CEN-1 the phone’s bar says how far a draft got', async () => {
    openPage(fakeDay());
    await openedSheet();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    write('Admissions', '3');
    const bar = screen.getByLabelText('Submit');
    await waitFor(() => expect(bar.textContent).toContain('Kept on this device'));
    await act(() => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS));
    await waitFor(() => expect(bar.textContent).toContain('Draft saved'));
  });

  it('CEN-2 once two versions are one again, the focus is where it is submitted', async () => {
    const { app, server } = openPage(fakeDay());
    await openedSheet();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.day = fakeDay({ version: 1, counts: { ...fakeDay().counts, admissions: 5 } });
    app.api.around = async ({ line }, go) =>
      line.startsWith('PUT')
        ? Response.json(
            {
              message: 'No.',
              code: 'conflict',
              findings: [{ code: 'VERSION_CONFLICT', field: 'version', message: 'Older.' }],
            },
            { status: 409 },
          )
        : await go();
    write('Admissions', '3');
    await act(() => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS));
    await screen.findByText('Someone else changed this report.');
    buttons('Compare')[0]?.focus();
    press('Compare');
    await screen.findByText('Use these');
    press('Use these');
    await waitFor(() => expect(document.activeElement).toBe(buttons('Submit Thu 19 Nov')[0]));
  });
});

describe('a day filled in with one tap', () => {
  const toast = (wanted: string) =>
    pageToasts
      .get()
      ?.get()
      .find(({ open, title }) => open && title === wanted);
  const REPLACED = 'What you typed was replaced';

  it('CEN-1 what it writes over comes back with one more, and what was typed since stays', async () => {
    openPage(fakeDay({ transfers: [fromIcu(2, 2)] }));
    await openedSheet();
    write('Admissions', '3');
    write('Deaths', '1');
    press('Nothing changed');
    expect([field('Admissions').value, field('Transfers in').value]).toEqual(['0', '0']);
    write('Head count', '24');
    await waitFor(() => expect(toast(REPLACED)).toBeTruthy());
    act(() => toast(REPLACED)?.actions[0]?.onClick?.());
    expect(
      ['Admissions', 'Deaths', 'Discharges', 'Transfers in', 'Head count'].map((name) => field(name).value),
    ).toEqual(['3', '1', '', '2', '24']);
  });

  it('CEN-1 nothing is said where nothing was typed, or the same', async () => {
    pageToasts.get()?.clear();
    openPage(fakeDay());
    await openedSheet();
    write('Deaths', '00');
    press('Nothing changed');
    press('Nothing changed');
    // What was said before it would stand there by now.
    void showToast({ title: 'Next' });
    await waitFor(() => expect(toast('Next')).toBeTruthy());
    expect(toast(REPLACED)).toBeUndefined();
  });
});

describe('what partners say', () => {
  it('CEN-1 CEN-3 who says that nothing changed is told before and after which moves partners tell of', async () => {
    const toOnc = { ...fromIcu(1), unit_code: 'ONC', unit_id: ICU_ID.replace(/2$/, '9'), direction: 'out' as const };
    openPage(fakeDay({ transfers: [fromIcu(2), toOnc] }));
    await openedSheet();
    const said = 'Other units report transfers: 2 in from ICU, 1 out to ONC. Answer them below.';
    screen.getByText(said);
    press('Nothing changed');
    screen.getByText(said);
    screen.getByText('ICU says it sent 2');
    screen.getByText('ONC says it received 1');
    press('Agree');
    screen.getByText('2 from ICU');
    screen.getByText('Other units report transfers: 1 out to ONC. Answer them below.');
    write('You sent, ONC', '0');
    expect(screen.queryByText(/Other units report/)).toBeNull();
    screen.getByText('ONC says it received 1');
    write('You received, ICU', '3');
    screen.getByText('3 from ICU, ICU says it sent 2');
  });
});
