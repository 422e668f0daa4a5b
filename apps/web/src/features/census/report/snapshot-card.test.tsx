// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { transportError } from '@wardline/client/http/api-error.ts';
import { takeSnapshot } from '@wardline/contract/census/unit.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeDay } from './testing/fake-report.ts';
import { field, ME, openedSheet, openPage } from './testing/open-report-page.tsx';

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save the count' }));

describe('a count between census hours', () => {
  beforeEach(() => {});

  it('CEN-5 whose answer was lost is the same request when it is saved again, and another one with other numbers', async () => {
    const { app } = openPage(fakeDay());
    const asked: BodyOf<typeof takeSnapshot>[] = [];
    app.api.on(takeSnapshot, ({ body, params }) => {
      asked.push(body);
      if (asked.length < 3) throw transportError('network', 'lost');
      const { population: of, occupied, blocked } = body;
      const by = { id: ME, name: 'Ana Reyes' };
      return {
        id: ME,
        unit_id: params.unit,
        population: of,
        taken_at: '2026-11-20T07:03:00Z',
        occupied,
        blocked,
        staffed: 28,
        taken_by: by,
      };
    });
    await openedSheet();
    fireEvent.click(screen.getByRole('button', { name: 'Count now' }));
    fireEvent.change(field('Occupied now'), { target: { value: '21' } });
    fireEvent.change(field('Blocked now'), { target: { value: '1' } });
    for (const tries of [1, 2]) {
      save();
      await waitFor(() => expect(asked).toHaveLength(tries));
      await screen.findByText('The server could not be reached. Check the connection.');
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Save the count' })).toHaveProperty('disabled', false),
      );
    }
    expect(asked[1]).toEqual(asked[0]);
    fireEvent.change(field('Occupied now'), { target: { value: '22' } });
    save();
    await screen.findByText('counted 22 at 07:03');
    expect(asked[2]?.client_id).not.toBe(asked[0]?.client_id);
  });
});
