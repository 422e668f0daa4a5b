import { randomUUID } from 'node:crypto';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { PERMISSIONS, type Permission } from '@wardline/contract/permissions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '#/testing/nightly.ts';
import { type Sample, sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { clientOf, entitledFor, makeWorld, type World } from '#/testing/samples/contract-world.ts';

/**
 * Which permissions an address asks for: any one of those named is enough, and all others together are not. Where none is named a
 * member needs none, as for their own account or in a chat that they manage.
 */
const NEEDS: Readonly<Record<string, readonly Permission[]>> = {
  listAudit: ['audit.view'],
  exportAudit: ['audit.view'],
  findAuditedChats: ['audit.view'],
  listDeletedMembers: ['members.manage'],
  removeMember: ['members.manage'],
  setMemberPhone: ['members.manage'],
  setMemberTitle: ['members.manage'],
  getFacilitySettings: ['facility.manage'],
  updateFacility: ['facility.manage'],
  setFacilityPolicies: ['facility.manage'],
  giveRole: ['members.manage'],
  takeRole: ['members.manage'],
  createRole: ['members.manage'],
  updateRole: ['members.manage'],
  getRoleUse: ['members.manage'],
  deleteRole: ['members.manage'],
  listScimTokens: ['members.manage'],
  createScimToken: ['members.manage'],
  revokeScimToken: ['members.manage'],
  createOnCallRole: ['on_call.manage'],
  updateOnCallRole: ['on_call.manage'],
  retireOnCallRole: ['on_call.manage'],
  planShift: ['on_call.manage'],
  deleteShift: ['on_call.manage'],
  takeOver: ['on_call.take'],
  handOver: ['on_call.take', 'on_call.manage'],
  listRoles: ['members.manage'],
  listInvitations: ['members.manage'],
  createInvitation: ['members.manage'],
  revokeInvitation: ['members.manage'],
  importPeople: ['members.manage'],
  listInvitationImports: ['members.manage'],
  exportInvitationImport: ['members.manage'],
  sendDirectMessage: ['chats.create'],
  createChat: ['chats.create'],
  sendRoleMessage: ['chats.create'],
  findPatientChats: ['chats.break_glass'],
  openInEmergency: ['chats.break_glass'],
  listEmergencyAccesses: ['audit.view'],
  countEmergencyAccesses: ['audit.view'],
  reviewEmergencyAccess: ['audit.view'],
  getRetention: ['records.manage'],
  previewRetention: ['records.manage'],
  setRetention: ['records.manage'],
  listUnexportedChats: ['records.manage'],
  listLegalHolds: ['records.manage'],
  listHoldablePeople: ['records.manage'],
  placeLegalHold: ['records.manage'],
  liftLegalHold: ['records.manage'],
  getChatRecord: ['records.manage'],
  exportChatRecord: ['records.manage'],
  exportPatientRecord: ['records.manage'],
  createDirectUpload: ['chats.create'],
  createRoleUpload: ['chats.create'],
  setUrgentLadder: ['on_call.manage'],
  listCriticalTimes: ['on_call.manage'],
  exportCriticalTimes: ['on_call.manage'],
  listInterruptions: ['on_call.manage'],
  exportInterruptions: ['on_call.manage'],
  createMessageTemplate: ['facility.manage'],
  updateMessageTemplate: ['facility.manage'],
  deleteMessageTemplate: ['facility.manage'],
  createExamination: ['examinations.write'],
  updateExamination: ['examinations.write'],
  moveExamination: ['examinations.sign'],
  listExaminationForms: ['facility.manage'],
  createExaminationForm: ['facility.manage'],
  getExaminationForm: ['facility.manage'],
  listFormVersions: ['facility.manage'],
  saveFormDraft: ['facility.manage'],
  discardFormDraft: ['facility.manage'],
  moveExaminationForm: ['facility.manage'],
  exportExaminationForm: ['facility.manage'],
  checkUnit: ['facility.manage'],
  renewExaminationForm: ['examinations.write'],
  importExaminations: ['examinations.sign'],
  listLaboratoryResults: ['results.assign'],
  assignLaboratoryResult: ['results.assign'],
  setAsideLaboratoryResult: ['results.assign'],
  getLaboratoryFeed: ['results.assign', 'facility.manage'],
  setLaboratoryFeed: ['facility.manage'],
  listLaboratoryMessages: ['results.assign', 'facility.manage'],
  listOwedReports: ['census.report_units'],
  getUnitDay: ['census.view', 'census.report_units', 'census.report_summary'],
  putUnitDay: ['census.report_units'],
  submitUnitDay: ['census.report_units'],
  withdrawUnitDay: ['census.report_units'],
  returnUnitDay: ['census.report_summary', 'census.approve'],
  approveUnitDay: ['census.report_summary', 'census.approve'],
  amendUnitDay: ['census.report_summary', 'census.approve'],
  estimateUnitDay: ['census.report_summary'],
  withdrawEstimate: ['census.report_summary'],
  takeSnapshot: ['census.report_units'],
  getFacilityDay: ['census.report_summary'],
  getSignedDay: ['census.report_summary'],
  signFacilityDay: ['census.report_summary'],
  lockFacilityDay: ['census.report_summary'],
  reopenFacilityDay: ['census.report_summary', 'census.reopen'],
  getCensusBoard: ['census.view'],
  getCensusAlert: ['census.view'],
  acknowledgeAlert: ['census.view'],
  remindUnit: ['census.report_summary'],
  getCensusHeatmap: ['census.view', 'census.report_summary'],
  getCensusForecast: ['census.view'],
  getCensusSummary: ['census.report_summary'],
  getCensusSettings: ['census.view', 'census.logs', 'census.report_units', 'census.report_summary'],
  updateCensusSettings: ['census.configure'],
  createCensusUnit: ['census.configure'],
  orderCensusUnits: ['census.configure'],
  importUnits: ['census.configure'],
  updateCensusUnit: ['census.configure'],
  deleteCensusUnit: ['census.configure'],
  getNursingHours: ['census.report_units', 'census.report_summary'],
  putNursingHours: ['census.report_units', 'census.report_summary'],
  listNursingHours: ['census.report_units', 'census.report_summary'],
  listCensusLog: ['census.logs'],
  verifyCensusLog: ['census.logs'],
  exportCensusLog: ['census.logs'],
  notePrint: ['census.report_summary'],
  exportCensus: ['census.report_summary', 'census.export'],
  importCensus: ['census.report_summary', 'census.import'],
  receiveHl7: ['census.feed'],
  listProposals: ['census.report_summary'],
  dismissProposal: ['census.report_summary', 'census.approve'],
  getCensusFeed: ['census.configure'],
  startCensusFeed: ['census.configure'],
  stopCensusFeed: ['census.configure'],
  forgetCensusFeed: ['census.configure'],
  importStays: ['census.configure'],
  listRefusedMessages: ['census.configure'],
  retryRefusedMessage: ['census.configure'],
  listUnknownStays: ['census.report_summary'],
  acceptUnknownStay: ['census.report_summary', 'census.approve'],
  dismissUnknownStay: ['census.report_summary', 'census.approve'],
};
/** What is asked for beside them. */
const BESIDE: Readonly<Record<string, readonly Permission[]>> = { assignLaboratoryResult: ['examinations.write'] };

let world: World;
let membershipId: string;
let roleId: string;
let held: { membership_id: string; role_id: string; facility_id: string }[];

beforeAll(async () => {
  world = await makeWorld();
  const { facility, entitled } = world.ours;
  const { db } = world.server;
  const memberships = db.selectFrom('memberships').select('id').where('user_id', '=', entitled.id);
  membershipId = (await memberships.where('facility_id', '=', facility.id).executeTakeFirstOrThrow()).id;
  roleId = randomUUID();
  const role = { id: roleId, facility_id: facility.id, name: 'The one that is tried', permissions: [] };
  await db.insertInto('roles').values(role).execute();
  held = await db.selectFrom('membership_roles').selectAll().where('membership_id', '=', membershipId).execute();
});
afterAll(() => world.server.close());

async function setRoles(roles: typeof held): Promise<void> {
  const { db } = world.server;
  await db.deleteFrom('membership_roles').where('membership_id', '=', membershipId).execute();
  await db.insertInto('membership_roles').values(roles).execute();
}

/** Of who has these permissions and no others, by a session of which the process remembers nothing. */
async function statusWith(permissions: readonly Permission[], endpoint: AnyEndpoint, sample: Sample): Promise<number> {
  const { db } = world.server;
  await db
    .updateTable('roles')
    .set({ permissions: [...permissions] })
    .where('id', '=', roleId)
    .execute();
  await setRoles([{ membership_id: membershipId, role_id: roleId, facility_id: world.ours.facility.id }]);
  try {
    return (await sendSample(await clientOf(world, 'with the right'), endpoint, sample)).statusCode;
  } finally {
    await setRoles(held);
  }
}

const REFUSED = [403, 404];
const tried = endpoints.filter(
  (endpoint) => endpoint.access === 'signed-in' && entitledFor(endpoint) === 'with the right',
);
const [limited, open] = [tried.filter(({ name }) => name in NEEDS), tried.filter(({ name }) => !(name in NEEDS))];

describe('PERM-3 A16 an address that asks for a permission', () => {
  it.each(limited.map((endpoint) => [endpoint.name, NEEDS[endpoint.name] ?? [], endpoint] as const))(
    '%s: every permission but %j is not enough',
    async (_name, needed, endpoint) => {
      const others = PERMISSIONS.filter((permission) => !needed.includes(permission));
      expect(await statusWith(others, endpoint, await sampleOf(world, endpoint))).toBeOneOf(REFUSED);
    },
  );

  it.each(everyNth(limited, 8).map((endpoint) => [endpoint.name, NEEDS[endpoint.name] ?? [], endpoint] as const))(
    '%s: each of %j is enough',
    async (name, needed, endpoint) => {
      for (const permission of needed) {
        const permissions = [permission, ...(BESIDE[name] ?? [])];
        expect(await statusWith(permissions, endpoint, await sampleOf(world, endpoint))).not.toBeOneOf(REFUSED);
      }
    },
  );
});

it.each(open.map((endpoint) => [endpoint.name, endpoint] as const))(
  'PERM-3 A16 %s asks a member for no permission',
  async (_name, endpoint) => {
    expect(await statusWith([], endpoint, await sampleOf(world, endpoint))).not.toBeOneOf(REFUSED);
  },
);
