import { createEngine, type Engine, runBy } from '@wardline/client/engine.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import type { KeptDraft } from '#/features/census/report/engine/kept-draft.ts';
import {
  initialReport,
  type ReportChange,
  type ReportEditorState,
  type ReportEffect,
  type ReportEvent,
  reduceReport,
} from '#/features/census/report/engine/report-editor-reducer.ts';
import type { ReportPayload } from '../engine/report-unit.ts';
import { fakeDay } from './fake-report.ts';

type Item = OutboxItem<ReportPayload>;

/** A server that keeps one report as the contract promises: by version, once for each client id. */
export interface ModelReportServer {
  day: UnitDay;
  readonly stored: Map<string, UnitDay>;
  /** All that it has taken from me, in order. */
  readonly accepted: ReportPayload['entry'][];
}

/** What survives a killed tab. */
interface ModelDevice {
  kept: KeptDraft | null;
  outbox: readonly Item[];
}

interface Request {
  readonly isLocal: boolean;
  readonly answer: () => void;
  /** Without a network; or, where the server has got it, without its answer. */
  readonly fail: (isAnswerLost: boolean) => void;
}

/** One device, one server and one report; nothing happens by itself. */
export interface ReportWorld {
  readonly server: ModelReportServer;
  readonly device: ModelDevice;
  state(): ReportEditorState;
  dispatch(changes: ReportChange): void;
  requests: Request[];
  isSavePlanned: boolean;
  /** The page has read what the device keeps of the draft. */
  isOpen: boolean;
  /** The device keeps a draft that was not taken up, since the report was not to be edited when the page was opened. */
  isKeptAside: boolean;
  /** Submit was pressed, and it is not yet known what came of it. */
  isSubmitting: boolean;
  isUp: boolean;
  now: number;
  /** Saves that went out though the report was not to be edited. */
  unlawful: number;
  /** What the editor does once the outbox has written what it wrote. */
  soon: (() => void)[];
  setOutbox(outbox: readonly Item[]): void;
  /** The page of the report is opened anew, from what the device keeps. */
  openTab(): void;
}

export type ReduceReport = typeof reduceReport;

export function createReportWorld(reduce: ReduceReport = reduceReport): ReportWorld {
  let engine: Engine<ReportEditorState, ReportEvent>;
  let made = 0;
  let tab = 0;
  const world: ReportWorld = {
    server: { day: fakeDay(), stored: new Map(), accepted: [] },
    device: { kept: null, outbox: [] },
    state: () => engine.state(),
    dispatch(changes) {
      made += 1;
      engine.dispatch({ ...changes, now: world.now, serverNow: world.now, newId: `id-${made}` });
    },
    ...{
      requests: [],
      isSavePlanned: false,
      isOpen: false,
      isKeptAside: false,
      isSubmitting: false,
      isUp: true,
      now: Date.parse('2026-11-20T00:30:00Z'),
    },
    ...{ unlawful: 0, soon: [] },
    setOutbox(outbox) {
      world.device.outbox = outbox;
      world.dispatch({ type: 'outbox-changed', items: outbox });
    },
    openTab() {
      tab += 1;
      const mine = tab;
      // What was being sent is not sent by this tab.
      world.device.outbox = world.device.outbox.map((item) =>
        item.state === 'sending' ? { ...item, state: 'waiting' } : item,
      );
      Object.assign(world, { requests: [], isSavePlanned: false, isOpen: false, isSubmitting: false, soon: [] });
      const handlers = runBy<ReportEffect>(handlersOf(world));
      engine = createEngine({
        initial: initialReport(world.server.day, world.device.outbox),
        reduce,
        onError(error) {
          throw error;
        },
        run: (effect) => {
          if (mine === tab) handlers(effect);
        },
      });
      world.dispatch({ type: 'opened', requestId: 0 });
    },
  };
  world.openTab();
  return world;
}

/** What the server answers; null where the version is older than its own, or nobody may write. */
export function put(server: ModelReportServer, { clientId, payload }: NewOutboxItem<ReportPayload>): UnitDay | null {
  const { stored, day } = server;
  const repeat = stored.get(clientId);
  if (repeat !== undefined) return repeat;
  const { entry } = payload;
  const isReplaced = entry.replaces?.some((id) => id === day.saved_request) === true && entry.version < day.version;
  if ((entry.version !== day.version && !isReplaced) || !day.may.edit) return null;
  server.day = {
    ...day,
    counts: entry.counts,
    version: day.version + 1,
    saved_request: clientId,
    status: entry.submit ? 'submitted' : day.status,
    may: { ...day.may, edit: !entry.submit },
  };
  server.accepted.push(entry);
  stored.set(clientId, server.day);
  return server.day;
}

const CONFLICT = { isTemporary: false, isConflict: true, findings: [], reason: 'Older.' };
const NO_NETWORK = { isTemporary: true, isConflict: false, findings: [], reason: 'No network.' };
const NEW_ITEM = { userId: 'me', attempts: 0, state: 'waiting', reason: null, refusal: null } as const;

function add(world: ReportWorld, item: NewOutboxItem<ReportPayload>): void {
  const { outbox } = world.device;
  const order = (outbox.at(-1)?.order ?? 0) + 1;
  world.setOutbox([...outbox, { ...NEW_ITEM, ...item, kind: 'census-report', order }]);
}

type Handlers = Parameters<typeof runBy<ReportEffect>>[0];

function handlersOf(world: ReportWorld): Handlers {
  const { device, server, dispatch } = world;
  const locally = (answer: () => void): void => void world.requests.push({ isLocal: true, answer, fail: answer });
  const noteSave = (): void => {
    if (!world.state().shown.day.may.edit) world.unlawful += 1;
  };
  const replace = (item: NewOutboxItem<ReportPayload>): void => {
    // What is under way may arrive all the same.
    for (const sent of device.outbox) if (sent.state === 'sending') put(server, sent);
    world.setOutbox([]);
    add(world, item);
  };
  return {
    'read-kept': ({ requestId }) =>
      locally(() => {
        dispatch({ type: 'kept-read', requestId, kept: device.kept });
        world.isOpen = true;
        world.isKeptAside = device.kept !== null && world.state().shown.draft !== device.kept.draft;
      }),
    keep({ kept }) {
      device.kept = kept;
      locally(() => dispatch({ type: 'kept', draft: kept.draft }));
    },
    'drop-kept'() {
      device.kept = null;
    },
    'keep-soon': () => void world.soon.push(() => dispatch({ type: 'keep-due' })),
    'start-timer'() {
      world.isSavePlanned = true;
    },
    'stop-timer'() {
      world.isSavePlanned = false;
    },
    save({ item }) {
      noteSave();
      world.requests.push(saveRequest(world, item));
    },
    'queue-save': ({ item }) =>
      locally(() => {
        add(world, item);
        dispatch({ type: 'save-queued' });
      }),
    'replace-save'({ item }) {
      noteSave();
      locally(() => {
        replace(item);
        dispatch({ type: 'save-queued' });
      });
    },
    'hand-in': ({ item }) =>
      locally(() => {
        replace(item);
        world.isSubmitting = false;
      }),
    refuse() {
      world.isSubmitting = false;
    },
    'drop-waiting': () => locally(() => world.setOutbox([])),
    'take-back': ({ requestId }) =>
      locally(() => {
        world.setOutbox([]);
        dispatch({ type: 'taken-back', requestId });
      }),
    'retry-item': ({ clientId }) =>
      locally(() => {
        const again = (item: Item): Item => (item.clientId === clientId ? { ...item, ...NEW_ITEM } : item);
        world.setOutbox(device.outbox.map(again));
      }),
    answer: () => undefined,
    // Answered as things are now, and may be overtaken by other answers on its way.
    refresh() {
      const { day } = server;
      world.requests.push({ isLocal: false, answer: () => dispatch({ type: 'told', day }), fail: () => undefined });
    },
    end: () => undefined,
  };
}

function saveRequest(world: ReportWorld, item: NewOutboxItem<ReportPayload>): Request {
  const { server, dispatch } = world;
  return {
    isLocal: false,
    answer() {
      const day = put(server, item);
      if (day === null) dispatch({ type: 'save-failed', item, failure: CONFLICT });
      else dispatch({ type: 'save-answered', day });
    },
    fail(isAnswerLost) {
      if (isAnswerLost) put(server, item);
      dispatch({ type: 'save-failed', item, failure: NO_NETWORK });
    },
  };
}
