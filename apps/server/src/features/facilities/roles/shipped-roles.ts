import type { Permission } from '@wardline/contract/permissions.ts';

/**
 * The roles a new facility starts with; they can be edited there.
 * An administrator decides who belongs and reads what is counted and logged. `chats.manage` holds only in chats one is
 * in oneself: nobody reads a chat from outside but who treats patients, in an emergency, seen by all who are in it.
 */
export const SHIPPED_ROLES = {
  clinician: {
    name: 'Clinician',
    permissions: [
      'chats.create',
      'chats.break_glass',
      'examinations.write',
      'examinations.sign',
      'on_call.take',
      'phones.view',
      'census.view',
    ],
  },
  chargeNurse: {
    name: 'Charge nurse',
    permissions: [
      'chats.create',
      'chats.break_glass',
      'examinations.write',
      'examinations.sign',
      'on_call.take',
      'phones.view',
      'census.view',
      'census.report_units',
    ],
  },
  censusOfficer: {
    name: 'Census officer',
    permissions: ['census.view', 'census.logs', 'census.report_units', 'census.report_summary'],
  },
  houseSupervisor: {
    name: 'House supervisor',
    permissions: [
      'chats.create',
      'chats.break_glass',
      'examinations.write',
      'examinations.sign',
      'on_call.take',
      'on_call.manage',
      'phones.view',
      'census.view',
      'census.logs',
      'census.report_units',
      'census.report_summary',
    ],
  },
  /** A machine: it hands messages in, sees no page and approves nothing. */
  patientSystem: { name: 'Patient system', permissions: ['census.feed'] },
  facilityAdministrator: {
    name: 'Facility administrator',
    permissions: [
      'chats.create',
      'chats.manage',
      'on_call.take',
      'on_call.manage',
      'phones.view',
      'census.view',
      'census.logs',
      'members.manage',
      'facility.manage',
      'census.configure',
      'audit.view',
      'records.manage',
    ],
  },
} as const satisfies Record<string, { name: string; permissions: readonly Permission[] }>;

export type ShippedRole = keyof typeof SHIPPED_ROLES;
