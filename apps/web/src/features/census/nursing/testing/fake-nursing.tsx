import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { listNursingHours, type NursingMonth, putNursingHours } from '@wardline/contract/census/nursing.ts';
import { vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { NursingDialog } from '../nursing-dialog.tsx';

const id = (number: number) => `01970000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`;
export const ids = { med: id(1), sur: id(2), icu: id(3) };
const ruth = { id: id(90), name: 'Ruth Calloway' };

function unitMonth(unit_id: string, unit_code: string, rest: Partial<NursingMonth> = {}): NursingMonth {
  return {
    unit_id,
    unit_code,
    unit_name: `${unit_code} ward`,
    month: '2026-10',
    version: 0,
    rn_hours: null,
    other_hours: null,
    note: null,
    patient_days: 680,
    reports: 31,
    reports_expected: 31,
    entered_at: null,
    entered_by: null,
    ...rest,
  };
}

/** The dialog over a server in memory that keeps the hours of one month, does a request once, and refuses what is out of date. */
export function setUpNursing() {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = {
    units: [
      unitMonth(ids.med, 'MED 3A', { version: 2, rn_hours: '2912.75', other_hours: '1902.75' }),
      unitMonth(ids.sur, 'SUR 2B'),
      unitMonth(ids.icu, 'ICU', { patient_days: 243, reports: 30 }),
    ],
  };
  const sent = vi.fn<(unit: string, body: object) => void>();
  const done = new Map<string, NursingMonth>();
  app.api.on(listNursingHours, ({ params }) => ({
    facility_id: stBrigid.id,
    month: params.month,
    units: state.units.map((unit) => ({ ...unit, month: params.month })),
  }));
  app.api.on(putNursingHours, ({ params, body }) => {
    sent(params.unit, body);
    const before = done.get(body.client_id);
    if (before) return before;
    const unit = state.units.find(({ unit_id }) => unit_id === params.unit);
    if (!unit) throw new FakeRefusal('not_found');
    if (unit.version !== body.version) throw new FakeRefusal('conflict');
    const { rn_hours, other_hours, note = unit.note } = body;
    const saved = { ...unit, rn_hours, other_hours, note, version: unit.version + 1, entered_by: ruth };
    state.units = state.units.map((one) => (one.unit_id === params.unit ? saved : one));
    done.set(body.client_id, saved);
    return saved;
  });
  const onClose = vi.fn();
  return {
    ...app,
    state,
    sent,
    onClose,
    /** Somebody else writes hours of MED 3A. */
    interfere() {
      state.units = state.units.map((unit) =>
        unit.unit_id === ids.med ? { ...unit, version: 3, rn_hours: '3000.00', entered_by: ruth } : unit,
      );
    },
    draw: () => app.draw(<NursingDialog facility={stBrigid} newest="2026-11-19" onClose={onClose} />),
  };
}
