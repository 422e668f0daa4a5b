import { SIMULATION_TIMEOUT_MS, simulationRuns } from '@wardline/client/testing/simulation-runs.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEditable,
  ownOperations,
  play,
  type ReportOperation,
  reportOperations,
  settle,
} from '#/features/census/report/testing/report-operations.ts';
import {
  createReportWorld,
  type ReduceReport,
  type ReportWorld,
} from '#/features/census/report/testing/report-simulation.ts';
import { draftOf, isSameDraft } from './report-draft.ts';
import { reduceReport } from './report-editor-reducer.ts';

/** What I typed and nobody has decided against: field → count, and what the server had taken from me by then. */
type Typed = Map<string, { readonly count: number; readonly accepted: number }>;

function note(world: ReportWorld, typed: Typed, step: ReportOperation): void {
  const accepted = world.server.accepted.length;
  if (step.type === 'type' && isEditable(world)) {
    const { base, draft } = world.state().shown;
    if (draft.numbers[step.field] === String(step.count)) return;
    // What stood there before is no change: the next version may say something else.
    if (base.counts[step.field] === step.count) typed.delete(step.field);
    else typed.set(step.field, { count: step.count, accepted });
  }
  // A draft that was kept aside is found again in the list of what is only on this device, until it is written over.
  if (world.isKeptAside) typed.clear();
  // Chosen away by me.
  if (step.type === 'complete' && isEditable(world)) typed.clear();
  if (step.type === 'resolve' && !step.isMine && world.state().shown.isConflicting) typed.clear();
}

/** What is typed is on the device, on its way, or on the server; that the page still shows it is not enough. */
function checkTyped(world: ReportWorld, typed: Typed): void {
  const { device, server } = world;
  for (const [field, { count, accepted }] of typed) {
    // The server has told that it has it, from me or from somebody who said the same.
    if (Reflect.get(world.state().shown.base.counts, field) === count) {
      typed.delete(field);
      continue;
    }
    const isIn = (counts: object | undefined): boolean => Reflect.get(counts ?? {}, field) === count;
    const isSafe =
      Reflect.get(device.kept?.draft.numbers ?? {}, field) === String(count) ||
      device.outbox.some(({ payload }) => isIn(payload.entry.counts)) ||
      server.accepted.slice(accepted).some(({ counts }) => isIn(counts));
    if (!isSafe) throw new Error(`The typed ${field} is lost.`);
  }
  if (world.unlawful > 0) throw new Error('A save was sent where editing is not allowed.');
}

function run(steps: readonly ReportOperation[], reduce: ReduceReport = reduceReport): ReportWorld {
  const world = createReportWorld(reduce);
  const typed: Typed = new Map();
  for (const step of steps) {
    note(world, typed, step);
    play(world, step);
    checkTyped(world, typed);
  }
  settle(world);
  checkTyped(world, typed);
  return world;
}

/** Nobody else was there: nothing conflicts, and the server has what stands on the page. */
function runAlone(steps: readonly ReportOperation[], reduce: ReduceReport = reduceReport): void {
  const world = createReportWorld(reduce);
  for (const step of steps) {
    // What was handed in and arrived, though its answer was lost, cannot be taken back any more.
    if (step.type === 'take-back' && !world.server.day.may.edit) continue;
    play(world, step);
    expect(world.state().shown.isConflicting).toBe(false);
  }
  settle(world);
  // Whoever leaves the page saves what no timer was left for.
  world.dispatch({ type: 'stopped' });
  settle(world);
  const { shown } = world.state();
  expect(shown).toMatchObject({ isConflicting: false, refusal: null, isSaving: false, waiting: null, unsent: null });
  expect(isSameDraft(shown.draft, draftOf(world.server.day))).toBe(true);
  expect(world.device).toEqual({ kept: null, outbox: [] });
}

/** Faults of a kind that was made elsewhere before, each in one place. */
const PLANTED: Readonly<Record<string, ReduceReport>> = {
  'a newer version replaces what is typed': (state, event) =>
    event.type === 'told'
      ? {
          state: { ...state, shown: { ...state.shown, day: event.day, base: event.day, draft: draftOf(event.day) } },
          effects: [],
        }
      : reduceReport(state, event),
  'an answer to a save replaces what was typed since': (state, event) => {
    const step = reduceReport(state, event);
    if (event.type !== 'save-answered') return step;
    return { ...step, state: { ...step.state, shown: { ...step.state.shown, draft: draftOf(event.day) } } };
  },
  'it is saved where editing is not allowed': (state, event) => {
    const { shown } = state;
    if (event.type !== 'save-due') return reduceReport(state, event);
    const day = { ...shown.day, may: { ...shown.day.may, edit: true } };
    const step = reduceReport({ ...state, shown: { ...shown, day } }, event);
    return { ...step, state: { ...step.state, shown: { ...step.state.shown, day: shown.day } } };
  },
  'what is typed is not kept': (state, event) => {
    const step = reduceReport(state, event);
    return event.type === 'changed' ? { ...step, effects: step.effects.filter(({ type }) => type !== 'keep') } : step;
  },
};

describe('one report, a device and a server, whatever happens between them', () => {
  it(
    'CEN-2 R13 nothing typed is lost by a conflict, a late answer or a reload, and nothing is saved unlawfully',
    () => {
      fc.assert(
        fc.property(reportOperations, (steps) => void run(steps)),
        simulationRuns(),
      );
    },
    SIMULATION_TIMEOUT_MS,
  );

  it(
    'F-N3 CEN-2 A33 an autosave or report conflicts with nothing of the same person, whichever answers are lost, and all is on the server in the end',
    () => {
      fc.assert(
        fc.property(ownOperations, (steps) => runAlone(steps)),
        simulationRuns(),
      );
    },
    SIMULATION_TIMEOUT_MS,
  );

  it.each(Object.entries(PLANTED))(
    'the simulation notices a planted fault: %s',
    (_name, reduce) => {
      const found = fc.check(
        fc.property(reportOperations, (steps) => void run(steps, reduce)),
        {
          ...{ numRuns: 500, seed: 1, endOnFailure: true },
        },
      );
      expect(found.failed).toBe(true);
    },
    SIMULATION_TIMEOUT_MS,
  );

  it(
    'the simulation notices a planted fault: a repeated save goes out as another request',
    () => {
      const reduce: ReduceReport = (state, event) =>
        event.type === 'save-failed' && event.failure.isTemporary
          ? reduceReport(state, { ...event, item: { ...event.item, clientId: event.newId } })
          : reduceReport(state, event);
      const found = fc.check(
        fc.property(ownOperations, (steps) => runAlone(steps, reduce)),
        {
          ...{ numRuns: 500, seed: 1, endOnFailure: true },
        },
      );
      expect(found.failed).toBe(true);
    },
    SIMULATION_TIMEOUT_MS,
  );
});
