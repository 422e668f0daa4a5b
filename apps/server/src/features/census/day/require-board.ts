import type { Actor } from '#/platform/authorise/actor.ts';
import { can, must } from '#/platform/authorise/can.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { belongTo, seeBoard } from '../policy.ts';

/** For one who sees the board of the facility. A stranger learns nothing (404), a member without the right 403. */
export function requireBoard(actor: Actor, facilityId: string): void {
  if (!can(actor, belongTo, { facilityId })) throw new AppError('not_found');
  must(actor, seeBoard, { facilityId });
}
