import type { Actor } from '../actor.ts';
import { action, authorizeToKnow } from './authorize.ts';

const administerSystem = action<null>('system.administer', (actor) => actor.isOperator);

/** The system administration is there for system administrators only: to everybody else its addresses do not exist (404). */
export function requireOperator(actor: Actor): void {
  authorizeToKnow(actor, administerSystem, null);
}
