// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import { putUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeDay } from './testing/fake-report.ts';
import { field, openedSheet, openPage } from './testing/open-report-page.tsx';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T00:38:00Z'));
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
});

const usual: NonNullable<UnitDay['usual']> = {
  ...(Object.fromEntries(SUMMED_FIELDS.map((name) => [name, null])) as NonNullable<UnitDay['usual']>),
  ...{ admissions: { least: 0, most: 8 }, transfers_in: { least: 0, most: 4 } },
  ...{ discharges: { least: 1, most: 9 }, deaths: { least: 0, most: 1 }, deaths_u48: { least: 0, most: 1 } },
  ...{ transfers_out: { least: 0, most: 4 }, ad_same_day: { least: 0, most: 2 }, on_leave: { least: 0, most: 1 } },
  observation: { least: 0, most: 1 },
};
const day = fakeDay({ usual });
const fill = (name: string, text: string) => fireEvent.change(field(name), { target: { value: text } });
const submit = () => fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);

/** A quiet day on which three discharges were typed into Deaths. */
async function openMistyped(shown = day) {
  const page = openPage(shown);
  await openedSheet();
  fireEvent.click(screen.getByRole('button', { name: 'Nothing changed' }));
  fill('Deaths', '3');
  fill('Head count', '21');
  return page;
}

it('F-N15 three discharges typed into Deaths are asked about once, in plain words, before the report is submitted', async () => {
  const { server } = await openMistyped();
  submit();
  const dialog = within(await screen.findByRole('dialog', { name: 'Are these numbers right?' }));
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Discharges 0: usually 1 to 9 on Thursdays.',
    'Deaths 3: usually 0 to 1 on Thursdays.',
  ]);
  expect(server.seen.some((entry) => entry.submit)).toBe(false);
  fireEvent.click(dialog.getByRole('button', { name: 'Change it' }));
  await waitFor(() => expect(document.activeElement).toBe(field('Discharges')));
  fill('Discharges', '3');
  fill('Deaths', '0');
  submit();
  await waitFor(() => expect(server.seen.at(-1)).toMatchObject({ submit: true, counts: { discharges: 3, deaths: 0 } }));
  expect(server.seen.at(-1)?.confirmed).toBeUndefined();
});

it('F-N15 it is no wall: confirmed, also by the keyboard, it is submitted with what was asked', async () => {
  const { server } = await openMistyped();
  fireEvent.keyDown(field('Head count'), { key: 'Enter', ctrlKey: true });
  const yes = await screen.findByRole('button', { name: 'Yes, submit' });
  fireEvent.click(yes);
  await waitFor(() => expect(server.seen.at(-1)).toMatchObject({ submit: true, confirmed: ['discharges', 'deaths'] }));
});

it('F-N15 what was confirmed is not asked again when the report comes back, another number is', async () => {
  const { app, server } = await openMistyped();
  app.api.on(putUnitDay, ({ body }) => {
    server.seen.push(body);
    if (!body.submit) return { ...server.day, counts: body.counts, usual, version: server.day.version };
    throw new FakeRefusal('unprocessable', { message: 'Not now.' });
  });
  submit();
  fireEvent.click(await screen.findByRole('button', { name: 'Yes, submit' }));
  const given = () => server.seen.filter((entry) => entry.submit);
  await waitFor(() => expect(given()).toHaveLength(1));
  await screen.findByText('This report was refused.');
  submit();
  await waitFor(() => expect(given()).toHaveLength(2));
  expect(given()[1]?.confirmed).toEqual(['discharges', 'deaths']);
  await screen.findByText('This report was refused.');
  fill('Deaths', '4');
  fill('Head count', '20');
  submit();
  expect(await screen.findByText('Deaths 4: usually 0 to 1 on Thursdays.')).toBeTruthy();
});

it('F-N15 what is wrong is said first: nothing is asked of a report that cannot be submitted', async () => {
  const { server } = await openMistyped();
  fill('Head count', '9');
  submit();
  expect(await screen.findByText('Differs by 12')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.seen.some((entry) => entry.submit)).toBe(false);
});

it('F-N15 a unit that is new is asked nothing', async () => {
  const { server } = await openMistyped(fakeDay({ usual: null }));
  submit();
  await waitFor(() => expect(server.seen.at(-1)).toMatchObject({ submit: true, counts: { deaths: 3 } }));
});

it('F-N15 who reads the report sees what was asked and confirmed', async () => {
  openPage(
    fakeDay({
      ...{ status: 'submitted', version: 2, confirmed: [{ field: 'deaths', count: 3, least: 0, most: 1 }] },
      may: { edit: false, submit: false, withdraw: false, return: true, approve: true, amend: false },
    }),
    { unit: day.unit_id, date: day.census_date, population: day.population },
  );
  expect(await screen.findByText('Deaths 3: usually 0 to 1 on Thursdays.')).toBeTruthy();
});
