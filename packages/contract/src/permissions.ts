/**
 * Names of what a member may do in a facility. The four census names that open pages are fixed by the product; the further
 * ones guard single acts, and fall back to census.report_summary where a facility has not split them off.
 */
export const PERMISSIONS = [
  'census.view',
  'census.logs',
  'census.report_units',
  'census.report_summary',
  'census.approve',
  'census.reopen',
  'census.configure',
  'census.import',
  'census.export',
  'census.feed',
  'chats.create',
  'chats.manage',
  'chats.break_glass',
  'examinations.write',
  'examinations.sign',
  'results.assign',
  'members.manage',
  'on_call.take',
  'on_call.manage',
  'phones.view',
  'facility.manage',
  'audit.view',
  'records.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * The everyday rights, and those of machines, which give a person nothing: whoever decides who belongs gives them without
 * having them, as an administrator who takes no census.
 */
const GRANTED_BY_MANAGERS: readonly string[] = [
  'census.view',
  'census.logs',
  'census.report_units',
  'census.report_summary',
  'census.approve',
  'census.reopen',
  'census.import',
  'census.export',
  'census.feed',
  'chats.create',
  'chats.break_glass',
  'examinations.write',
  'examinations.sign',
  'results.assign',
  'on_call.take',
  'phones.view',
] satisfies readonly Permission[];

/** Whether somebody with these permissions may give a role: what it allows beyond the everyday, one must have oneself. */
export function canGrant(own: readonly string[], role: readonly string[]): boolean {
  const granted = own.includes('members.manage') ? [...own, ...GRANTED_BY_MANAGERS] : own;
  return role.every((permission) => granted.includes(permission));
}
