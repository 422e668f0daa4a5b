import type { Permission } from '@wardline/contract/permissions.ts';

/** What each permission lets somebody do, after "May". */
export const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  'census.view': 'see the census',
  'census.logs': 'read the census log',
  'census.report_units': 'report for their units',
  'census.report_summary': 'approve and sign days',
  'census.approve': 'approve reports',
  'census.reopen': 'reopen signed days',
  'census.configure': 'set up units, beds and the census',
  'census.import': 'import reports',
  'census.export': 'export the census',
  'census.feed': 'hand in messages of the patient system',
  'chats.create': 'start chats',
  'chats.manage': 'manage the chats they are in',
  'chats.break_glass': 'open a patient’s chat in an emergency',
  'examinations.write': 'begin and fill in examinations',
  'examinations.sign': 'sign and amend reports',
  'results.assign': 'put laboratory results that matched nobody into a chat',
  'members.manage': 'invite, remove and give roles',
  'on_call.take': 'be on call',
  'on_call.manage': 'plan who is on call',
  'phones.view': 'see phone numbers',
  'facility.manage': 'change the facility',
  'audit.view': 'read the audit log',
  'records.manage': 'decide how long messages are kept, hold and export them',
};

/** What a role lets somebody do, in a sentence. */
export function formatPermissions(permissions: readonly string[]): string {
  if (permissions.length === 0) return 'Nothing beyond being a member.';
  const labels: Readonly<Record<string, string>> = PERMISSION_LABELS;
  // One that this build has no words for is of a later one.
  return `May ${permissions.map((permission) => labels[permission] ?? 'do what a newer version allows').join(', ')}.`;
}
