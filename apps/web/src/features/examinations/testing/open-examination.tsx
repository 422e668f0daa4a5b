import { fireEvent, screen } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { JoinHandlers } from '@wardline/client/realtime/realtime.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import type { chatChannel } from '@wardline/contract/chat/chat.ts';
import { type Citation, type CitingMessage, listCitations } from '@wardline/contract/chat/citations.ts';
import {
  acknowledgeReport,
  type Entry,
  type Examination,
  type ExaminationTemplate,
  getExamination,
  listExaminations,
  listReportVersions,
  moveExamination,
  type ReportVersion,
  updateExamination,
} from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import type { LiveMessage } from '@wardline/contract/live.ts';
import type { CiteOffer, LinkedFinding } from '#/features/examinations/citing/finding-menu.tsx';
import type { PicturesOffer } from '#/features/examinations/core/pictures-context.ts';
import { ExaminationPane } from '#/features/examinations/panel/examination-pane.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, mira, stBrigid } from '#/testing/fake-chats.ts';

export const facility = { ...stBrigid, permissions: ['examinations.write', 'examinations.sign'] };
export const uuid = (number: number) => `019ff2c9-0000-7000-8000-00000000000${number}`;
export const at = '2026-11-20T00:10:00.000Z';

export const renal: ExaminationTemplate = {
  ...{ id: uuid(1), version: 1, type: 'laboratory', name: 'Renal profile' },
  fields: [
    {
      code: 'potassium',
      label: 'Potassium',
      kind: 'quantity',
      part: 'finding',
      unit: { code: 'mmol/L', label: 'mmol/L' },
      ranges: [{ low: '3.5', high: '5.3', critical_high: '6.5' }],
      ...{ absolute_low: '0.5', absolute_high: '20' },
    },
    { code: 'sodium', label: 'Sodium', kind: 'quantity', part: 'finding', ranges: [{ low: '133', high: '146' }] },
    { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
  ],
};
export const vital: ExaminationTemplate = {
  ...{ id: uuid(2), version: 1, type: 'vital_signs', name: 'Vital signs', is_bedside: true },
  fields: [
    { code: 'rr', label: 'Respiratory rate', kind: 'quantity', part: 'finding', decimals: 0, news2: 'respiration' },
    {
      code: 'o2',
      label: 'Air or oxygen',
      kind: 'code',
      part: 'finding',
      news2: 'oxygen',
      options: [
        { code: 'air', label: 'Air' },
        { code: 'oxygen', label: 'Oxygen' },
      ],
    },
    { code: 'pulse', label: 'Pulse', kind: 'quantity', part: 'finding', news2: 'pulse' },
    { code: 'spo2', label: 'SpO₂', kind: 'quantity', part: 'finding', decimals: 0, news2: 'spo2' },
    {
      ...{ code: 'scale', label: 'SpO₂ scale', kind: 'code', part: 'finding', news2: 'spo2_scale' },
      options: [
        { code: '1', label: 'Scale 1' },
        { code: '2', label: 'Scale 2, target 88–92 %' },
      ],
    },
  ],
};

export const imaging: ExaminationTemplate = {
  ...{ id: uuid(3), version: 1, type: 'imaging', name: 'Imaging' },
  fields: [
    { code: 'question', label: 'Clinical question', kind: 'text', part: 'request' },
    { code: 'main_finding', label: 'Main finding', kind: 'text', part: 'finding' },
    { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
  ],
};

export const entry = (field: string, value: string): Entry => ({
  field,
  value,
  interpretation: null,
  comparison: null,
});
export function toStored(entries: readonly Entry[], version = 1, by = ana): Examination['entries'] {
  return entries.map((one) => ({ ...one, by: { user_id: by.id, name: by.name }, at, version }));
}
export const person = (who: typeof ana) => ({ user_id: who.id, name: who.name });

export function examinationOf(change: Partial<Examination> = {}): Examination {
  const template = change.template ?? renal;
  return {
    ...{ id: uuid(5), chat_id: edith.id, facility_id: facility.id, type: template.type, title: template.name },
    ...{ state: 'in_progress', version: 3, report_version: 0, critical: [], must_acknowledge: false, updated_at: at },
    ...{ template, patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14', bed: null } },
    ...{
      patient_sex: null,
      created: { by: person(mira), at },
      requested: { by: person(mira), at },
      reason: null,
      entries: [],
    },
    my: { can_write: true, can_sign: true, can_mark_in_error: true, read_version: 0, acknowledged_version: 0 },
    ...change,
  };
}

/** A server that has one examination, and what was asked of it. */
export function openExamination(
  first: Examination,
  { store = createMemoryStore(ana.id), versions = [] as ReportVersion[], linked = null as LinkedFinding | null } = {},
) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { now: first, versions, citing: [] as CitingMessage[] };
  const asked: unknown[] = [];
  app.api.on(getExamination, () => server.now);
  app.api.on(listExaminations, () => ({ data: [server.now], next_cursor: null }));
  app.api.on(listReportVersions, () => ({ data: server.versions, next_cursor: null }));
  app.api.on(listCitations, () => ({ data: server.citing, next_cursor: null }));
  app.api.on(updateExamination, ({ body }) => {
    asked.push(body);
    const version = server.now.version + 1;
    const given = (body.entries ?? []).map(({ field, value, regions }) => ({
      ...entry(field, value),
      ...(regions?.length && { regions }),
    }));
    const others = server.now.entries.filter(({ field }) => !given.some((one) => one.field === field));
    server.now = { ...server.now, version, entries: [...others, ...toStored(given, version)] };
    return server.now;
  });
  app.api.on(moveExamination, ({ body }) => {
    asked.push(body);
    const isSigned = body.to === 'reported' || body.to === 'amended';
    const report_version = server.now.report_version + Number(isSigned);
    server.now = { ...server.now, state: body.to, version: server.now.version + 1, report_version };
    return server.now;
  });
  app.api.on(acknowledgeReport, ({ body }) => {
    asked.push(body);
    const acknowledged_version = body.is_acknowledged ? body.version : server.now.my.acknowledged_version;
    const my = { ...server.now.my, read_version: body.version, acknowledged_version };
    server.now = { ...server.now, my, must_acknowledge: server.now.must_acknowledge && !body.is_acknowledged };
    return { read_version: body.version, acknowledged_version };
  });
  const heard = {
    changed: () => undefined as unknown,
    live: (_message: object, _from: string) => undefined as unknown,
  };
  const said: LiveMessage[] = [];
  const join = (_channel: unknown, _id: string, on: JoinHandlers<typeof chatChannel>) => {
    const { events, whispers } = on;
    if (events) heard.changed = () => events.ExaminationChanged?.({ examination_id: server.now.id } as never);
    if (whispers) {
      heard.live = (message, from) => whispers['live']?.(message, from);
      queueMicrotask(() => on.onSubscribed?.({}));
    }
    return { leave: () => undefined, whisper: (_name: string, message: LiveMessage) => said.push(message) };
  };
  const pane = (
    <ExaminationPane
      {...{ facility, urgent, cite, pictures, linked }}
      chatId={edith.id}
      examinationId={first.id}
      myId={ana.id}
      chatPath="/chat"
    />
  );
  const outbox = createSharedOutbox({ store, userId: ana.id, log: createSilentLog(), firstKind: 'message' });
  const around = (page: React.ReactNode) => (
    <DeviceContext value={{ store, outbox }}>
      <RealtimeContext value={{ join } as never}>{page}</RealtimeContext>
    </DeviceContext>
  );
  const draw = (what: React.ReactNode = pane) => app.draw(what, around);
  return {
    app,
    asked,
    server,
    draw,
    heard,
    said,
    refuse: (errors: Record<string, string[]>) => refuseOnce(app, errors),
  };
}

/** The chat's composer of urgent messages stands for itself here. */
const urgent = ({ text }: { readonly text: string }) => <p role="note">{text}</p>;

/** So does its viewer of pictures: what is shown in it, and one place that can be marked. */
export const nodule: Region = {
  ...{ attachment_id: uuid(7), shape: 'ellipse', x: 0.1, y: 0.2 },
  width: 0.3,
  height: 0.4,
};
const pictures = ({ first, regions, marking, onClose }: PicturesOffer) => (
  <div role="dialog" aria-label={`Pictures from ${first ?? 'the newest'}: ${regions.map(({ label }) => label)}`}>
    {marking && (
      <button type="button" onClick={() => marking.onMark(nodule)}>
        Mark {marking.label}
      </button>
    )}
    <button type="button" onClick={onClose}>
      Close pictures
    </button>
  </div>
);

/** So does its way to cite a finding. */
export const cited: Citation[] = [];
const cite = ({ citation, onCited }: CiteOffer) => (
  <button
    type="button"
    onClick={() => {
      cited.push(citation);
      onCited();
    }}
  >
    Cite in chat
  </button>
);

/** The next change is refused: others were there. */
function refuseOnce(app: ReturnType<typeof createFakeApp>, errors: Record<string, string[]>): void {
  app.api.around = async ({ line }, go) => {
    if (!line.startsWith('PATCH')) return go();
    app.answer();
    return Response.json({ message: 'Changed.', errors }, { status: 409 });
  };
}

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
export async function typeInto(label: string, value: string, leaves = true): Promise<void> {
  fireEvent.change(await field(label), { target: { value } });
  if (leaves) fireEvent.blur(await field(label));
}
export const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
export const flagOf = (label: string) =>
  screen.getByRole('rowheader', { name: label }).closest('tr')?.lastElementChild?.textContent;
export const version = (number: number, potassium: string, by = mira): ReportVersion => ({
  ...{ version: number, signed: { by: person(by), at }, patient_sex: null, sha256: 'ab'.repeat(32) },
  ...{ reason: number > 1 ? 'Haemolysed' : null, entries: [entry('potassium', potassium)] },
});
