import * as z from 'zod/mini';
import { Id, Instant, Text } from '../values.ts';
import { CriticalAlert } from './critical.ts';

export const LADDER_STEPS_MAX = 8;
/** What was done, and why one was withdrawn. */
export const URGENT_NOTE_MAX = 280;

/**
 * Whom a step of the ladder calls: the same again (a role's holder asked anew), whom the sender named next, who holds the
 * facility's fallback role, everybody in the chat. Where there is no such person, the step after it comes at once.
 */
export const LadderCall = z.enum(['again', 'next', 'fallback', 'everyone']);
export type LadderCall = z.infer<typeof LadderCall>;

export const LadderStep = z.object({
  after_min: z.int().check(z.gte(1, 'At least 1 minute.'), z.lte(240, 'At most 240 minutes.')),
  call: LadderCall,
});
export type LadderStep = z.infer<typeof LadderStep>;

/** Calling until somebody accepts; exhausted where all steps are over; closed by what was done. */
export const UrgentState = z.enum(['calling', 'exhausted', 'accepted', 'closed', 'withdrawn']);
export type UrgentState = z.infer<typeof UrgentState>;

const UrgentTargets = z.object({
  people: z.array(z.object({ user_id: Id, name: z.string() })),
  role: z.nullable(z.object({ id: Id, name: z.string() })),
});

/** Somebody who was called, and what is known of them since. */
export const UrgentPerson = z.object({
  user_id: Id,
  name: z.string(),
  /** As whose holder they were called; null by their name. */
  role: z.nullable(z.string()),
  called_at: Instant,
  /** How often. */
  times: z.int(),
  delivered_at: z.nullable(Instant),
  seen_at: z.nullable(Instant),
  accepted_at: z.nullable(Instant),
});
export type UrgentPerson = z.infer<typeof UrgentPerson>;

/**
 * A line of the public timeline: sent, repeated, climbed, exhausted, received, misread, accepted, reminded, resumed, acted,
 * withdrawn. A kind that a client does not know it leaves out.
 */
export const UrgentEntry = z.object({
  at: Instant,
  kind: z.string(),
  /** Whose act it was; null by the clock. */
  by: z.nullable(z.object({ user_id: Id, name: z.string() })),
  /** Who was called by it. */
  called: z.array(z.string()),
  note: z.nullable(z.string()),
});
export type UrgentEntry = z.infer<typeof UrgentEntry>;

/** What all who read an urgent message see of it. */
export const Urgent = z.object({
  state: UrgentState,
  /** Grows with each change of state. */
  version: z.int(),
  targets: UrgentTargets,
  next: z.nullable(UrgentTargets),
  /** Of a critical alert they may be days apart. */
  steps: z.array(z.object({ after_min: z.int(), call: LadderCall })),
  /** How many of the steps are over. */
  step: z.int(),
  /** When something happens by itself next. */
  due_at: z.nullable(Instant),
  people: z.array(UrgentPerson),
  entries: z.array(UrgentEntry),
  /** A critical result: it is accepted by reading it back. */
  critical: z.optional(z.nullable(CriticalAlert)),
});
export type Urgent = z.infer<typeof Urgent>;

export const UrgentNote = Text(1, URGENT_NOTE_MAX);
