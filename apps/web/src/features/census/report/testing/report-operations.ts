import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { CountField } from '@wardline/contract/census/census.ts';
import fc from 'fast-check';
import { draftOf, nilDraft } from '#/features/census/report/engine/report-draft.ts';
import { writeNumber } from '#/features/census/report/engine/report-view.ts';
import type { ReportPayload } from '../engine/report-unit.ts';
import { put, type ReportWorld } from './report-simulation.ts';

const FIELDS = ['admissions', 'discharges', 'deaths'] as const satisfies readonly CountField[];
type Field = (typeof FIELDS)[number];

/** What may happen, in any order. */
export type ReportOperation =
  | { readonly type: 'type'; readonly field: Field; readonly count: number }
  /** Nothing happened in the unit, and the head count: what can be handed in. */
  | { readonly type: 'complete' }
  | { readonly type: 'rest' }
  | { readonly type: 'submit' }
  | { readonly type: 'retry' }
  | { readonly type: 'take-back' }
  | { readonly type: 'resolve'; readonly isMine: boolean }
  | { readonly type: 'answer'; readonly pick: number }
  | { readonly type: 'fail'; readonly pick: number; readonly isAnswerLost: boolean }
  /** The outbox begins to send, or what it sends comes to its end. */
  | { readonly type: 'post' }
  | { readonly type: 'posted'; readonly outcome: 'answered' | 'answer-lost' | 'no-network' }
  | { readonly type: 'kill' }
  | { readonly type: 'drop' }
  | { readonly type: 'reconnect' }
  | { readonly type: 'refresh' }
  | { readonly type: 'jump-clock'; readonly by: number }
  | OthersOperation;

/** What somebody else does. */
type OthersOperation =
  | { readonly type: 'others-save'; readonly field: Field; readonly count: number }
  | { readonly type: 'others-submit' }
  | { readonly type: 'others-return' }
  | { readonly type: 'opening-moves' };

const field = fc.constantFrom(...FIELDS);
const count = fc.integer({ min: 0, max: 9 });
const pick = fc.nat({ max: 5 });

const own: fc.WeightedArbitrary<ReportOperation>[] = [
  { weight: 10, arbitrary: fc.record({ type: fc.constant('type'), field, count }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('complete') }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('rest') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('submit') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('retry') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take-back') }) },
  { weight: 14, arbitrary: fc.record({ type: fc.constant('answer'), pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('fail'), pick, isAnswerLost: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('post') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('posted'),
      outcome: fc.constantFrom('answered', 'answered', 'answer-lost', 'no-network'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('drop') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('reconnect') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('refresh') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('jump-clock'), by: fc.constantFrom(-3_600_000, 86_400_000) }) },
];
const others: fc.WeightedArbitrary<ReportOperation>[] = [
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('resolve'), isMine: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('others-save'), field, count }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('others-submit') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('others-return') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('opening-moves') }) },
];

/** Everything, and what one person does in one tab that nobody disturbs. */
export const reportOperations = fc.array(fc.oneof(...own, ...others), { maxLength: 50, size: 'max' });
export const ownOperations = fc.array(fc.oneof(...own), { maxLength: 50, size: 'max' });

type Acts = {
  readonly [Type in ReportOperation['type']]: (operation: Extract<ReportOperation, { type: Type }>) => void;
};

function takeOut<Value>(values: Value[], index: number): Value | undefined {
  return values.splice(index % Math.max(1, values.length), 1)[0];
}

export function play(world: ReportWorld, operation: ReportOperation): void {
  const acts: Acts = { ...personActs(world), ...networkActs(world), ...othersActs(world) };
  (acts[operation.type] as (operation: ReportOperation) => void)(operation);
}

/** Nobody types in the moment before the device's copy is read, nor into what is under way or handed in. */
export function isEditable(world: ReportWorld): boolean {
  const { day, unsent } = world.state().shown;
  return world.isOpen && !world.isSubmitting && day.may.edit && (unsent === null || unsent.state === 'failed');
}

type PersonAct = 'type' | 'complete' | 'rest' | 'submit' | 'retry' | 'take-back' | 'resolve' | 'kill' | 'jump-clock';

function personActs(world: ReportWorld): Pick<Acts, PersonAct> {
  const { dispatch } = world;
  return {
    type({ field: name, count: typed }) {
      if (isEditable(world)) dispatch({ type: 'changed', change: writeNumber(name, String(typed)) });
    },
    complete() {
      if (isEditable(world))
        dispatch({ type: 'changed', change: (draft) => writeNumber('counted', '24')(nilDraft(draft)) });
    },
    rest() {
      if (!world.isSavePlanned) return;
      world.isSavePlanned = false;
      dispatch({ type: 'save-due' });
    },
    submit() {
      if (!isEditable(world)) return;
      world.isSubmitting = true;
      dispatch({ type: 'submit', requestId: 1, confirmed: [] });
    },
    retry() {
      const { refusal, waiting, unsent } = world.state().shown;
      const isFailed = refusal !== null || waiting?.state === 'failed' || unsent?.state === 'failed';
      if (isFailed) dispatch({ type: 'retry', requestId: 2 });
    },
    'take-back'() {
      if (world.state().shown.unsent?.state === 'waiting') dispatch({ type: 'take-back', requestId: 3 });
    },
    resolve({ isMine }) {
      const { isConflicting, draft, day } = world.state().shown;
      if (isConflicting && world.isOpen) dispatch({ type: 'resolved', draft: isMine ? draft : draftOf(day) });
    },
    kill: () => world.openTab(),
    'jump-clock'({ by }) {
      world.now += by;
    },
  };
}

type NetworkAct = 'answer' | 'fail' | 'post' | 'posted' | 'drop' | 'reconnect' | 'refresh';

function networkActs(world: ReportWorld): Pick<Acts, NetworkAct> {
  return {
    answer({ pick: index }) {
      const request = takeOut(world.requests, index);
      if (request?.isLocal || world.isUp) request?.answer();
      else request?.fail(false);
    },
    fail({ pick: index, isAnswerLost }) {
      takeOut(world.requests, index)?.fail(isAnswerLost && world.isUp);
    },
    post: () => post(world),
    posted: ({ outcome }) => endPost(world, world.isUp ? outcome : 'no-network'),
    drop() {
      world.isUp = false;
    },
    reconnect() {
      world.isUp = true;
    },
    refresh() {
      if (world.isUp) world.dispatch({ type: 'told', day: world.server.day });
    },
  };
}

type OthersAct = OthersOperation['type'];

function othersActs({ server }: ReportWorld): Pick<Acts, OthersAct> {
  const change = (part: Partial<typeof server.day>): void => {
    server.day = { ...server.day, saved_request: null, ...part, version: server.day.version + 1 };
  };
  return {
    'others-save'({ field: name, count: typed }) {
      if (server.day.may.edit) change({ counts: { ...server.day.counts, [name]: typed } });
    },
    'others-submit'() {
      if (server.day.may.edit) change({ status: 'submitted', may: { ...server.day.may, edit: false } });
    },
    'others-return'() {
      if (!server.day.may.edit) change({ status: 'returned', may: { ...server.day.may, edit: true } });
    },
    'opening-moves'() {
      if (server.day.may.edit) change({ opening: (server.day.opening ?? 0) + 1 });
    },
  };
}

type Item = OutboxItem<ReportPayload>;

/**
 * The outbox sends once the page has read what the device keeps of the draft, which the delivery takes away; what is on its way
 * into the outbox is faster than the network.
 */
function post(world: ReportWorld): void {
  const { outbox } = world.device;
  const next = outbox.find(({ state }) => state === 'waiting');
  if (!world.isUp || next === undefined || outbox.some(({ state }) => state === 'sending')) return;
  if (!world.isOpen || world.requests.some(({ isLocal }) => isLocal)) return;
  world.setOutbox(outbox.map((item): Item => (item === next ? { ...item, state: 'sending' } : item)));
}

function endPost(world: ReportWorld, outcome: 'answered' | 'answer-lost' | 'no-network'): void {
  const item = world.device.outbox.find(({ state }) => state === 'sending');
  if (item === undefined) return;
  const become = (part: Partial<Item>): void =>
    world.setOutbox(world.device.outbox.map((one): Item => (one === item ? { ...one, ...part } : one)));
  const day = outcome === 'no-network' ? null : put(world.server, item);
  if (outcome !== 'answered') {
    become({ state: 'waiting' });
    return;
  }
  if (day === null) {
    become({ state: 'failed', reason: 'Older.', refusal: { status: 409, code: 'conflict', findings: [] } });
    return;
  }
  // As the outbox does: handed over, then off the device in one write, then told.
  world.dispatch({ type: 'delivered', day });
  world.device.kept = null;
  for (const run of world.soon.splice(0)) run();
  world.setOutbox(world.device.outbox.filter((one) => one !== item));
}

const MOST_ROUNDS = 200;

/** The network is there and stays: everything that waits comes to its end, but for what a person has to decide. */
export function settle(world: ReportWorld): void {
  world.isUp = true;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const request = world.requests.shift();
    if (request !== undefined) request.answer();
    else if (world.device.outbox.some(({ state }) => state === 'sending')) endPost(world, 'answered');
    else if (world.device.outbox.some(({ state }) => state === 'waiting')) post(world);
    else if (world.isSavePlanned) play(world, { type: 'rest' });
    else return;
  }
  throw new Error('It never comes to rest.');
}
