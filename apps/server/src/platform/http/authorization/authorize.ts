import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';

/** Something that may be done to a thing. Features state their actions in `policy.ts`, as pure rules over loaded facts. */
export interface Action<Thing> {
  readonly name: string;
  readonly allows: (actor: Actor, thing: Thing) => boolean;
}

export function action<Thing>(name: string, allows: (actor: Actor, thing: Thing) => boolean): Action<Thing> {
  return { name, allows };
}

/**
 * The one question that guards every way out: HTTP, socket, search, export, push. It is asked with facts read now,
 * never with facts remembered from an earlier answer.
 */
export function can<Thing>(actor: Actor, wanted: Action<Thing>, thing: Thing): boolean {
  return wanted.allows(actor, thing);
}

/** The same as a guard: refuses with 403. */
export function authorize<Thing>(actor: Actor, wanted: Action<Thing>, thing: Thing): void {
  if (!can(actor, wanted, thing)) throw refusalOf(actor, wanted, thing) ?? new AppError('forbidden');
}

/** The same where a thing does not exist for who may not know of it (404). */
export function authorizeToKnow<Thing>(actor: Actor, wanted: Action<Thing>, thing: Thing): void {
  if (!can(actor, wanted, thing)) throw refusalOf(actor, wanted, thing) ?? new AppError('not_found');
}

/**
 * The one place that tells why a membership is none: the facility was deactivated, or its members need a second factor and none
 * was given. Who would be let in otherwise is told so.
 */
function refusalOf<Thing>(actor: Actor, wanted: Action<Thing>, thing: Thing): AppError | null {
  const { memberships, closedMemberships = [] } = actor;
  if (closedMemberships.length === 0) return null;
  const isLetIn = (closed: typeof closedMemberships) =>
    wanted.allows({ ...actor, memberships: [...memberships, ...closed] }, thing);
  if (!isLetIn(closedMemberships)) return null;
  const waiting = closedMemberships.filter(({ isDeactivated }) => !isDeactivated);
  return new AppError(isLetIn(waiting) ? 'second_factor_needed' : 'facility_closed');
}
