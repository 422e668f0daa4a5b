import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';

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
  if (!can(actor, wanted, thing)) throw new AppError('forbidden');
}
