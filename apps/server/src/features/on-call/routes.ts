import * as contract from '@wardline/contract/facilities/on-call.ts';
import {
  listPresence as listPresenceEndpoint,
  setPresence as setPresenceEndpoint,
} from '@wardline/contract/facilities/presence.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getDuty } from './get-duty.ts';
import { listOnCallRoles } from './list-on-call-roles.ts';
import { listPresence } from './list-presence.ts';
import { handOver, takeOver } from './pass-on.ts';
import { createOnCallRole, retireOnCallRole, updateOnCallRole } from './save-role.ts';
import { setPresence } from './set-presence.ts';
import { deleteShift, listShifts, planShift } from './shifts.ts';

export const routes: readonly Route[] = [
  route(contract.getDuty, getDuty),
  route(contract.listOnCallRoles, listOnCallRoles),
  route(contract.createOnCallRole, createOnCallRole),
  route(contract.updateOnCallRole, updateOnCallRole),
  route(contract.retireOnCallRole, retireOnCallRole),
  route(contract.listShifts, listShifts),
  route(contract.planShift, planShift),
  route(contract.deleteShift, deleteShift),
  route(contract.takeOver, takeOver),
  route(contract.handOver, handOver),
  route(listPresenceEndpoint, listPresence),
  route(setPresenceEndpoint, setPresence),
];
