// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { nilCounts } from '@wardline/census/balance.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeDay } from './testing/fake-report.ts';
import { field, openedSheet, openPage } from './testing/open-report-page.tsx';

const first = { opening: 12, opening_from: null, counts: nilCounts(21) };

describe('the opening', () => {
  beforeEach(() => {});

  it('CEN-1 3.6 of a first report that was typed wrong can be typed anew once its draft is saved', async () => {
    const { server } = openPage(fakeDay({ ...first, version: 1 }));
    await openedSheet();
    expect(field('Opening').value).toBe('12');
    fireEvent.change(field('Opening'), { target: { value: '21' } });
    expect(document.getElementById('census-closing')?.textContent).toBe('21');
    fireEvent.click(screen.getAllByRole('button', { name: 'Submit Thu 19 Nov' })[0] as HTMLElement);
    await waitFor(() => expect(server.seen.find(({ submit }) => submit)?.seed).toBe(21));
  });

  it('CEN-1 3.6 of a first report is read by everybody, and comes from no other day', async () => {
    const may = { edit: false, submit: false, withdraw: false, return: false, approve: false, amend: false };
    openPage(fakeDay({ ...first, version: 2, status: 'approved', may }), {
      unit: fakeDay().unit_id,
      date: '2026-11-19',
      population: 'adult_and_child',
    });
    await openedSheet();
    expect(document.getElementById('census-seed')?.textContent).toBe('12');
    expect(screen.queryByRole('link', { name: /^Correct/ })).toBeNull();
  });

  it('CEN-3 3.6 leads to where the person can correct the day it comes from, or says whom to ask', async () => {
    const way = (opening_correction: UnitDay['opening_correction']) => {
      openPage(fakeDay({ opening_correction }));
      return openedSheet();
    };
    await way({ way: 'report', people: [] });
    const report = `/census-unit?unit=${fakeDay().unit_id}&date=2026-11-18&population=adult_and_child`;
    expect(screen.getByRole('link', { name: 'Correct Wed 18 Nov' }).getAttribute('href')).toBe(report);
    cleanup();
    await way({ way: 'day', people: [] });
    expect(screen.getByRole('link', { name: 'Reopen Wed 18 Nov to correct it' }).getAttribute('href')).toBe(
      `/census-summary?by=day&from=2026-11-18&to=2026-11-18&facility=${fakeDay().facility_id}`,
    );
    cleanup();
    const people = ['Owen Hart', 'Ruth Calloway'].map((name) => ({ id: crypto.randomUUID(), name }));
    await way({ way: 'ask', people });
    expect(screen.queryByRole('link', { name: /^(Correct|Reopen)/ })).toBeNull();
    expect(screen.getByRole('link', { name: 'See Wed 18 Nov' }).getAttribute('href')).toBe(report);
    expect(document.getElementById('census-opening-note')?.textContent).toContain(
      '; to correct it, ask Owen Hart or Ruth Calloway',
    );
    cleanup();
    await way({ way: 'ask', people: [] });
    expect(document.getElementById('census-opening-note')?.textContent).toContain('ask an administrator');
  });

  it('CEN-3 3.6 one that a correction has moved since says so', async () => {
    openPage(fakeDay({ conditions: ['restated'] }));
    await openedSheet();
    expect(document.getElementById('census-opening-note')?.textContent).toContain('closing of Wed 18 Nov, restated ·');
  });
});
