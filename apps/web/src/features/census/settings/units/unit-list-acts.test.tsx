// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createCensusUnit, orderCensusUnits } from '@wardline/contract/census/settings.ts';
import { beforeAll, expect, it } from 'vitest';
import { openSettings, unit } from '../testing/fake-settings.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./add-unit-dialog.tsx'),
    import('./import-units-dialog.tsx'),
    import('./order-dialog.tsx'),
    import('./unit-dialog.tsx'),
  ]),
);

async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }));
}

it('ADM-1 a unit is added with its code, name and kind', async () => {
  const { api, state } = openSettings();
  api.on(createCensusUnit, ({ body }) => {
    const { version, ...names } = body;
    state.settings = {
      ...state.settings,
      version: version + 1,
      units: [...state.settings.units, unit(3, 'ICU', names)],
    };
    return state.settings;
  });
  await press('Add unit');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a unit' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add unit' }));
  expect(await dialog.findByText('Enter the code.')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Code'), { target: { value: 'ICU' } });
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Intensive care' } });
  fireEvent.change(dialog.getByLabelText('Kind'), { target: { value: 'Intensive care' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add unit' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByRole('button', { name: 'Edit ICU' })).toBeTruthy();
});

it('ADM-1 units are put in another order, said to who does not see it', async () => {
  const { api, state } = openSettings();
  const sent: string[][] = [];
  api.on(orderCensusUnits, ({ body }) => {
    sent.push(body.unit_ids);
    return state.settings;
  });
  await press('Order');
  const dialog = within(await screen.findByRole('dialog', { name: 'Order of the units' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Move SUR 2B up' }));
  expect(dialog.getByRole('status').textContent).toBe('SUR 2B is number 1 of 2.');
  expect((dialog.getByRole('button', { name: 'Move SUR 2B up' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(dialog.getByRole('button', { name: 'Save order' }));
  await waitFor(() => expect(sent).toEqual([state.settings.units.map(({ unit_id }) => unit_id).toReversed()]));
});

it('ADM-1 pasted lines are checked first: each bad one says why, and nothing can be stored', async () => {
  const { api } = openSettings();
  const asked: string[] = [];
  api.around = async ({ line }, go) => {
    if (!line.includes('/unit-imports')) return await go();
    asked.push(line.split('?')[1] ?? '');
    const problems = [{ column: 'staffed', code: 'REFUSED', message: 'More beds are staffed than there are.' }];
    return Response.json({
      is_applied: false,
      counts: { new: 0, changed: 0, unchanged: 0, refused: 1 },
      rows: [{ line: 2, unit_code: 'ICU', unit_name: null, outcome: 'refused', problems }],
    });
  };
  await press('Import');
  const dialog = within(await screen.findByRole('dialog', { name: 'Import units and beds' }));
  fireEvent.change(dialog.getByLabelText('Or paste the lines'), { target: { value: 'code,staffed\nICU,99' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Check the lines' }));
  expect(await dialog.findByText(/More beds are staffed than there are/)).toBeTruthy();
  expect(dialog.getByText('1 line refused, so nothing was stored. Correct them and try again.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Store units and beds' })).toBeNull();
  expect(asked).toEqual(['apply=false&version=7']);
});

it('ADM-1 what was checked is stored at a press', async () => {
  const { api, state } = openSettings();
  api.around = async ({ line }, go) => {
    if (!line.includes('/unit-imports')) return await go();
    const isApplied = line.includes('apply=true');
    if (isApplied) state.settings = { ...state.settings, units: [...state.settings.units, unit(3, 'ICU')] };
    return Response.json({
      is_applied: isApplied,
      counts: { new: 1, changed: 0, unchanged: 0, refused: 0 },
      rows: [{ line: 2, unit_code: 'ICU', unit_name: 'Intensive care', outcome: 'new', problems: [] }],
    });
  };
  await press('Import');
  const dialog = within(await screen.findByRole('dialog', { name: 'Import units and beds' }));
  fireEvent.change(dialog.getByLabelText('Or paste the lines'), { target: { value: 'code,name\nICU,Intensive care' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Check the lines' }));
  expect(await dialog.findByText('1 unit to add, 0 lines with changes. Nothing is stored yet.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Store units and beds' }));
  expect(await dialog.findByText('1 line stored: 1 unit added.')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Edit ICU', hidden: true })).toBeTruthy();
});

it('ADM-1 a unit is called otherwise in its dialog', async () => {
  const { state } = openSettings();
  await press('Edit SUR 2B');
  const dialog = within(await screen.findByRole('dialog', { name: 'SUR 2B' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Surgery' } });
  fireEvent.change(dialog.getByLabelText('Kind'), { target: { value: 'Surgical' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save name' }));
  await waitFor(() =>
    expect(state.sentUnits).toEqual([{ version: 7, unit_code: 'SUR 2B', unit_name: 'Surgery', unit_kind: 'Surgical' }]),
  );
});
