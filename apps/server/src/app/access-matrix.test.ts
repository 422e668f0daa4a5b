import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { ErrorBody } from '@wardline/contract/errors.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSession } from '#/testing/factories/users.ts';
import { everyNth, inTurn, isNightly } from '#/testing/nightly.ts';
import { payloadOf, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import {
  ACTORS,
  type ActorName,
  clientOf,
  makeWorld,
  needFactors,
  type World,
} from '#/testing/samples/contract-world.ts';
import { newAddress, type TestClient, type TestRequest, withSession } from '#/testing/test-client.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';

/**
 * Who gets what, about our facility. `outside` holds for somebody of another facility, for a former member and for the operator,
 * where no number of its own stands for them. A new endpoint is red here until somebody has thought about its row.
 */
type Row = readonly [
  signedOut: number,
  outside: number,
  member: number,
  reader: number,
  entitled: number,
  operator?: number,
];
const TABLE: Readonly<Record<string, Row>> = {
  //                  signed out, outside, member, reader, entitled (session and bearer)
  getCsrfCookie: /*     */ [204, 204, 204, 204, 204],
  signIn: /*            */ [200, 302, 302, 302, 302],
  createToken: /*       */ [201, 201, 201, 201, 201],
  signOut: /*           */ [401, 204, 204, 204, 204],
  getUser: /*           */ [401, 200, 200, 200, 200],
  getDeviceKey: /*      */ [401, 200, 200, 200, 200],
  // Nobody's sign-in waits for it; who is signed in is led past it.
  answerTwoFactorChallenge: /**/ [422, 302, 302, 302, 302],
  beginTwoFactor: /*    */ [401, 200, 200, 200, 200],
  getTwoFactorQrCode: /**/ [401, 200, 200, 200, 200],
  getTwoFactorSecret: /**/ [401, 200, 200, 200, 200],
  confirmTwoFactor: /*  */ [401, 200, 200, 200, 200],
  endTwoFactor: /*      */ [401, 200, 200, 200, 200],
  listRecoveryCodes: /* */ [401, 200, 200, 200, 200],
  renewRecoveryCodes: /**/ [401, 200, 200, 200, 200],
  beginPasskeyConfirmation: /**/ [401, 200, 200, 200, 200],
  confirmWithPasskey: /**/ [401, 422, 422, 422, 422],
  unlockScreen: /*      */ [401, 204, 204, 204, 204],
  confirmPassword: /*   */ [401, 201, 201, 201, 201],
  getConfirmedPasswordStatus: /**/ [401, 200, 200, 200, 200],
  getSecondFactors: /*  */ [401, 200, 200, 200, 200],
  listPasskeys: /*      */ [401, 200, 200, 200, 200],
  beginPasskey: /*      */ [401, 200, 200, 200, 200],
  // Nothing that any browser made; auth/passkeys has the real ones.
  createPasskey: /*     */ [401, 422, 422, 422, 422],
  renamePasskey: /*     */ [401, 404, 404, 404, 200],
  removePasskey: /*     */ [401, 404, 404, 404, 204],
  listPersonalTokens: /**/ [401, 200, 200, 200, 200],
  createPersonalToken: /**/ [401, 201, 201, 201, 201],
  revokePersonalToken: /**/ [401, 404, 404, 404, 204],
  revokePersonalTokens: /**/ [401, 204, 204, 204, 204],
  beginPasskeySignIn: /**/ [200, 302, 302, 302, 302],
  signInWithPasskey: /* */ [422, 302, 302, 302, 302],
  // The installation of the tests has one provider, at which nothing listens; auth/single-sign-on has a real one.
  beginSingleSignOn: /* */ [502, 409, 409, 409, 409],
  // Nobody came from there.
  finishSingleSignOn: /**/ [302, 302, 302, 302, 302],
  beginProviderLink: /* */ [401, 502, 502, 502, 502],
  beginProviderConfirmation: /**/ [401, 502, 502, 502, 502],
  listProviderLinks: /* */ [401, 200, 200, 200, 200],
  removeProviderLink: /**/ [401, 404, 404, 404, 204],
  // Asked from other machines, as all here.
  showSetUp: /*         */ [404, 404, 404, 404, 404],
  setUp: /*             */ [404, 404, 404, 404, 404],
  register: /*          */ [204, 204, 204, 204, 204],
  forgotPassword: /*    */ [200, 200, 200, 200, 200],
  resetPassword: /*     */ [200, 200, 200, 200, 200],
  verifyEmail: /*       */ [302, 302, 302, 302, 302],
  sendVerification: /*  */ [401, 200, 200, 200, 200],
  getAccount: /*        */ [401, 200, 200, 200, 200],
  updateProfile: /*     */ [401, 200, 200, 200, 200],
  changeEmail: /*       */ [401, 200, 200, 200, 200],
  cancelEmailChange: /* */ [401, 200, 200, 200, 200],
  changePassword: /*    */ [401, 204, 204, 204, 204],
  listSessions: /*      */ [401, 200, 200, 200, 200],
  endSession: /*        */ [401, 404, 404, 404, 204],
  endOtherSessions: /*  */ [401, 204, 204, 204, 204],
  requestDataCopy: /*   */ [401, 201, 201, 201, 201],
  listDataCopies: /*    */ [401, 200, 200, 200, 200],
  // Somebody else's copy does not exist.
  getRecorded: /*       */ [401, 200, 200, 200, 200],
  getAccountDeletion: /**/ [401, 200, 200, 200, 200],
  // Each gives an address that is not theirs; auth/deletion has the real ones.
  deleteAccount: /*     */ [401, 422, 422, 422, 422],
  downloadDataCopy: /*  */ [401, 404, 404, 404, 200],
  getNotificationSettings: /**/ [401, 200, 200, 200, 200],
  updateNotificationSettings: /**/ [401, 200, 200, 200, 200],
  subscribePush: /*     */ [401, 204, 204, 204, 204],
  unsubscribePush: /*   */ [401, 204, 204, 204, 204],
  testPush: /*          */ [401, 200, 200, 200, 200],
  openNotification: /*  */ [401, 404, 404, 404, 200],
  noteNotificationDelivered: /**/ [401, 404, 404, 404, 204],
  listFacilities: /*    */ [401, 200, 200, 200, 200],
  listUnits: /*         */ [401, 404, 200, 200, 200],
  listRoles: /*         */ [401, 404, 403, 403, 200],
  listInvitations: /*   */ [401, 404, 403, 403, 200],
  createInvitation: /*  */ [401, 404, 403, 403, 201],
  revokeInvitation: /*  */ [401, 404, 403, 403, 204],
  showInvitation: /*    */ [200, 200, 200, 200, 200],
  acceptInvitation: /*  */ [401, 204, 204, 204, 204],
  importPeople: /*      */ [401, 404, 403, 403, 200],
  listInvitationImports: /**/ [401, 404, 403, 403, 200],
  exportInvitationImport: /**/ [401, 404, 403, 403, 200],
  listAudit: /*         */ [401, 404, 403, 403, 200],
  exportAudit: /*       */ [401, 404, 403, 403, 200],
  findAuditedChats: /*  */ [401, 404, 403, 403, 200],
  listReaders: /*       */ [401, 200, 200, 200, 200],
  listMembers: /*       */ [401, 404, 200, 200, 200],
  listDeletedMembers: /**/ [401, 404, 403, 403, 200],
  getMember: /*         */ [401, 404, 200, 200, 200],
  setMemberPhone: /*    */ [401, 404, 403, 403, 200],
  setMemberTitle: /*    */ [401, 404, 403, 403, 200],
  getDuty: /*           */ [401, 404, 200, 200, 200],
  listOnCallRoles: /*   */ [401, 404, 200, 200, 200],
  createOnCallRole: /*  */ [401, 404, 403, 403, 201],
  updateOnCallRole: /*  */ [401, 404, 403, 403, 200],
  retireOnCallRole: /*  */ [401, 404, 403, 403, 204],
  listShifts: /*        */ [401, 404, 200, 200, 200],
  planShift: /*         */ [401, 404, 403, 403, 201],
  deleteShift: /*       */ [401, 404, 403, 403, 204],
  takeOver: /*          */ [401, 404, 403, 403, 200],
  handOver: /*          */ [401, 404, 403, 403, 200],
  listPresence: /*      */ [401, 404, 200, 200, 200],
  setPresence: /*       */ [401, 404, 200, 200, 200],
  removeMember: /*      */ [401, 404, 403, 403, 204],
  getFacilitySettings: /**/ [401, 404, 403, 403, 200],
  updateFacility: /*    */ [401, 404, 403, 403, 200],
  setFacilityPolicies: /**/ [401, 404, 403, 403, 200],
  createRole: /*        */ [401, 404, 403, 403, 201],
  updateRole: /*        */ [401, 404, 403, 403, 200],
  listScimTokens: /*    */ [401, 404, 403, 403, 200],
  createScimToken: /*   */ [401, 404, 403, 403, 201],
  revokeScimToken: /*   */ [401, 404, 403, 403, 204],
  getRoleUse: /*        */ [401, 404, 403, 403, 200],
  deleteRole: /*        */ [401, 404, 403, 403, 204],
  giveRole: /*          */ [401, 404, 403, 403, 200],
  takeRole: /*          */ [401, 404, 403, 403, 200],
  listChats: /*         */ [401, 404, 200, 200, 200],
  createChat: /*        */ [401, 404, 403, 403, 201],
  // Of one's own chats: a member who is in none with this number is answered an empty list.
  findOwnCases: /*      */ [401, 404, 200, 200, 200],
  getChat: /*           */ [401, 404, 404, 200, 200],
  updateChat: /*        */ [401, 404, 404, 403, 200],
  listParticipants: /*  */ [401, 404, 404, 200, 200],
  addParticipant: /*    */ [401, 404, 404, 403, 200],
  removeParticipant: /* */ [401, 404, 404, 403, 204],
  findPatientChats: /*  */ [401, 404, 403, 403, 200],
  openInEmergency: /*   */ [401, 404, 403, 403, 201],
  listEmergencyAccesses: /**/ [401, 404, 403, 403, 200],
  countEmergencyAccesses: /**/ [401, 404, 403, 403, 200],
  reviewEmergencyAccess: /**/ [401, 404, 403, 403, 200],
  getRetention: /*      */ [401, 404, 403, 403, 200],
  previewRetention: /*  */ [401, 404, 403, 403, 200],
  setRetention: /*      */ [401, 404, 403, 403, 200],
  listUnexportedChats: /**/ [401, 404, 403, 403, 200],
  listLegalHolds: /*    */ [401, 404, 403, 403, 200],
  listHoldablePeople: /**/ [401, 404, 403, 403, 200],
  placeLegalHold: /*    */ [401, 404, 403, 403, 201],
  liftLegalHold: /*     */ [401, 404, 403, 403, 200],
  // Only who answers for the record learns that a chat has one.
  getChatRecord: /*     */ [401, 404, 404, 404, 200],
  exportChatRecord: /*  */ [401, 404, 404, 404, 200],
  exportPatientRecord: /**/ [401, 404, 403, 403, 200],
  setNotifications: /*  */ [401, 404, 404, 200, 200],
  setFavorite: /*       */ [401, 404, 404, 200, 200],
  setUnreadMark: /*     */ [401, 404, 404, 200, 200],
  listMessages: /*      */ [401, 404, 404, 200, 200],
  sendMessage: /*       */ [401, 404, 404, 403, 201],
  setReaction: /*       */ [401, 404, 404, 200, 200],
  editMessage: /*       */ [401, 404, 404, 403, 200],
  listMessageVersions: /**/ [401, 404, 404, 200, 200],
  deleteMessage: /*     */ [401, 404, 404, 403, 200],
  setPin: /*            */ [401, 404, 404, 403, 200],
  listExaminationTemplates: /**/ [401, 404, 200, 200, 200],
  createExamination: /* */ [401, 404, 404, 403, 201],
  listExaminations: /*  */ [401, 404, 404, 200, 200],
  getExamination: /*    */ [401, 404, 404, 200, 200],
  updateExamination: /* */ [401, 404, 404, 403, 200],
  moveExamination: /*   */ [401, 404, 404, 403, 200],
  listReportVersions: /**/ [401, 404, 404, 200, 200],
  acknowledgeReport: /* */ [401, 404, 404, 200, 200],
  listCitations: /*     */ [401, 404, 404, 200, 200],
  listChatPictures: /*  */ [401, 404, 404, 200, 200],
  listTrend: /*         */ [401, 404, 404, 200, 200],
  exportExamination: /* */ [401, 404, 404, 200, 200],
  noteExaminationPrint: /**/ [401, 404, 404, 204, 204],
  exportChat: /*        */ [401, 404, 404, 403, 200],
  importExaminations: /**/ [401, 404, 404, 403, 200],
  listExaminationForms: /**/ [401, 404, 403, 403, 200],
  createExaminationForm: /**/ [401, 404, 403, 403, 201],
  getExaminationForm: /**/ [401, 404, 403, 403, 200],
  listFormVersions: /*  */ [401, 404, 403, 403, 200],
  saveFormDraft: /*     */ [401, 404, 403, 403, 200],
  discardFormDraft: /*  */ [401, 404, 403, 403, 204],
  moveExaminationForm: /**/ [401, 404, 403, 403, 200],
  exportExaminationForm: /**/ [401, 404, 403, 403, 200],
  checkUnit: /*         */ [401, 404, 403, 403, 200],
  renewExaminationForm: /**/ [401, 404, 404, 403, 200],
  listLaboratoryResults: /**/ [401, 404, 403, 403, 200],
  assignLaboratoryResult: /**/ [401, 404, 403, 403, 200],
  setAsideLaboratoryResult: /**/ [401, 404, 403, 403, 200],
  getLaboratoryFeed: /* */ [401, 404, 403, 403, 200],
  setLaboratoryFeed: /* */ [401, 404, 403, 403, 200],
  listLaboratoryMessages: /**/ [401, 404, 403, 403, 200],
  listHandoverSuggestions: /**/ [401, 404, 404, 200, 200],
  giveHandover: /*      */ [401, 404, 404, 403, 201],
  listHandovers: /*     */ [401, 404, 404, 200, 200],
  listWaitingHandovers: /**/ [401, 200, 200, 200, 200],
  getHandover: /*       */ [401, 404, 404, 200, 200],
  moveHandover: /*      */ [401, 404, 404, 403, 200],
  correctHandover: /*   */ [401, 404, 404, 403, 201],
  setHandoverAction: /* */ [401, 404, 404, 403, 200],
  noteHandoverPrint: /* */ [401, 404, 404, 204, 204],
  exportHandover: /*    */ [401, 404, 404, 200, 200],
  // A list of one's own patients, empty for a member who is in none of the chats.
  listUnitHandovers: /* */ [401, 404, 200, 200, 200],
  noteHandoverListPrint: /**/ [401, 404, 204, 204, 204],
  listPins: /*          */ [401, 404, 404, 200, 200],
  forwardMessage: /*    */ [401, 404, 404, 403, 201],
  getForwardSource: /*  */ [401, 404, 404, 200, 200],
  createUpload: /*      */ [401, 404, 404, 403, 201],
  createDirectUpload: /**/ [401, 404, 403, 403, 201],
  createRoleUpload: /*  */ [401, 404, 403, 403, 201],
  getUpload: /*         */ [401, 404, 404, 404, 200],
  getUploadLimits: /*   */ [401, 200, 200, 200, 200],
  appendUpload: /*      */ [401, 404, 404, 404, 204],
  cancelUpload: /*      */ [401, 404, 404, 404, 204],
  signAttachments: /*   */ [401, 200, 200, 200, 200],
  noteUrgentDelivered: /* */ [401, 404, 404, 403, 204],
  acceptUrgent: /*      */ [401, 404, 404, 403, 200],
  closeUrgent: /*       */ [401, 404, 404, 403, 200],
  withdrawUrgent: /*    */ [401, 404, 404, 403, 200],
  receiveCritical: /*   */ [401, 404, 404, 403, 200],
  readBackCritical: /*  */ [401, 404, 404, 403, 200],
  listCriticalTimes: /* */ [401, 404, 403, 403, 200],
  exportCriticalTimes: /* */ [401, 404, 403, 403, 200],
  listInterruptions: /* */ [401, 404, 403, 403, 200],
  exportInterruptions: /* */ [401, 404, 403, 403, 200],
  listUrgent: /*        */ [401, 200, 200, 200, 200],
  getUrgentLadder: /*   */ [401, 404, 200, 200, 200],
  setUrgentLadder: /*   */ [401, 404, 403, 403, 200],
  listMessageTemplates: /**/ [401, 404, 200, 200, 200],
  createMessageTemplate: /**/ [401, 404, 403, 403, 201],
  updateMessageTemplate: /**/ [401, 404, 403, 403, 200],
  deleteMessageTemplate: /**/ [401, 404, 403, 403, 204],
  sendDirectMessage: /* */ [401, 404, 403, 403, 201],
  sendRoleMessage: /*   */ [401, 404, 403, 403, 201],
  listChatRoles: /*     */ [401, 404, 404, 200, 200],
  addChatRole: /*       */ [401, 404, 404, 403, 200],
  removeChatRole: /*    */ [401, 404, 404, 403, 204],
  listDrafts: /*        */ [401, 200, 200, 200, 200],
  saveDraft: /*         */ [401, 404, 404, 403, 200],
  raiseMarkers: /*      */ [401, 404, 404, 200, 200],
  sync: /*              */ [401, 200, 200, 200, 200],
  search: /*            */ [401, 200, 200, 200, 200],
  authorizeChannel: /*  */ [401, 403, 403, 200, 200],
  authorizeUser: /*     */ [401, 200, 200, 200, 200],
  signImages: /*        */ [401, 200, 200, 200, 200],
  setAvatar: /*         */ [401, 200, 200, 200, 200],
  removeAvatar: /*      */ [401, 200, 200, 200, 200],
  contactOperator: /*   */ [204, 204, 204, 204, 204],
  getFacilityDay: /*     */ [401, 404, 403, 403, 200],
  getSignedDay: /*       */ [401, 404, 403, 403, 200],
  signFacilityDay: /*    */ [401, 404, 403, 403, 200],
  lockFacilityDay: /*    */ [401, 404, 403, 403, 200],
  reopenFacilityDay: /*  */ [401, 404, 403, 403, 200],
  remindUnit: /*         */ [401, 404, 403, 403, 200],
  getCensusAlert: /*     */ [401, 404, 403, 403, 200],
  acknowledgeAlert: /*   */ [401, 404, 403, 403, 200],
  getCensusSettings: /*  */ [401, 404, 403, 403, 200],
  updateCensusSettings: /* */ [401, 404, 403, 403, 200],
  createCensusUnit: /*   */ [401, 404, 403, 403, 201],
  orderCensusUnits: /*   */ [401, 404, 403, 403, 200],
  importUnits: /*        */ [401, 404, 403, 403, 200],
  updateCensusUnit: /*   */ [401, 404, 403, 403, 200],
  deleteCensusUnit: /*   */ [401, 404, 403, 403, 200],
  listOwedReports: /*   */ [401, 404, 403, 403, 200],
  listReportsToApprove: [401, 200, 200, 200, 200],
  getUnitDay: /*        */ [401, 404, 403, 403, 200],
  putUnitDay: /*        */ [401, 404, 403, 403, 200],
  submitUnitDay: /*     */ [401, 404, 403, 403, 200],
  withdrawUnitDay: /*   */ [401, 404, 403, 403, 200],
  returnUnitDay: /*     */ [401, 404, 403, 403, 200],
  approveUnitDay: /*    */ [401, 404, 403, 403, 200],
  amendUnitDay: /*      */ [401, 404, 403, 403, 200],
  estimateUnitDay: /*   */ [401, 404, 403, 403, 200],
  withdrawEstimate: /*  */ [401, 404, 403, 403, 200],
  takeSnapshot: /*      */ [401, 404, 403, 403, 200],
  getNursingHours: /*   */ [401, 404, 403, 403, 200],
  putNursingHours: /*   */ [401, 404, 403, 403, 200],
  listNursingHours: /*  */ [401, 404, 403, 403, 200],
  getCensusBoard: /*    */ [401, 404, 403, 403, 200],
  getCensusHeatmap: /*  */ [401, 404, 403, 403, 200],
  getCensusSummary: /*  */ [401, 404, 403, 403, 200],
  getCensusForecast: /* */ [401, 404, 403, 403, 200],
  listCensusLog: /*     */ [401, 404, 403, 403, 200],
  verifyCensusLog: /*   */ [401, 404, 403, 403, 200],
  exportCensusLog: /*   */ [401, 404, 403, 403, 200],
  notePrint: /*         */ [401, 404, 403, 403, 204],
  exportCensus: /*      */ [401, 404, 403, 403, 200],
  importCensus: /*      */ [401, 404, 403, 403, 200],
  receiveHl7: /*        */ [401, 404, 403, 403, 200],
  listProposals: /*     */ [401, 404, 403, 403, 200],
  dismissProposal: /*   */ [401, 404, 403, 403, 200],
  getCensusFeed: /* */ [401, 404, 403, 403, 200],
  startCensusFeed: /* */ [401, 404, 403, 403, 200],
  stopCensusFeed: /*  */ [401, 404, 403, 403, 200],
  forgetCensusFeed: /**/ [401, 404, 403, 403, 200],
  importStays: /* */ [401, 404, 403, 403, 200],
  listRefusedMessages: /* */ [401, 404, 403, 403, 200],
  retryRefusedMessage: /* */ [401, 404, 403, 403, 200],
  listUnknownStays: /* */ [401, 404, 403, 403, 200],
  acceptUnknownStay: /* */ [401, 404, 403, 403, 200],
  dismissUnknownStay: /* */ [401, 404, 403, 403, 200],
  // The system administration is there for system administrators only, and for nobody else (PERM-4).
  listSystemWarnings: /**/ [401, 404, 404, 404, 404, 200],
  getSystemHealth: /**/ [401, 404, 404, 404, 404, 200],
  getJobQueue: /**/ [401, 404, 404, 404, 404, 200],
  listDeadJobs: /**/ [401, 404, 404, 404, 404, 200],
  retryJob: /**/ [401, 404, 404, 404, 404, 204],
  discardJob: /**/ [401, 404, 404, 404, 404, 204],
  testMail: /**/ [401, 404, 404, 404, 404, 200],
  listAccounts: /**/ [401, 404, 404, 404, 404, 200],
  disableAccount: /**/ [401, 404, 404, 404, 404, 200],
  enableAccount: /**/ [401, 404, 404, 404, 404, 200],
  endAccountSessions: /**/ [401, 404, 404, 404, 404, 200],
  resetSecondFactors: /**/ [401, 404, 404, 404, 404, 200],
  addOperator: /**/ [401, 404, 404, 404, 404, 200],
  removeOperator: /**/ [401, 404, 404, 404, 404, 200],
  listAllFacilities: /**/ [401, 404, 404, 404, 404, 200],
  createFacility: /**/ [401, 404, 404, 404, 404, 201],
  renameFacility: /**/ [401, 404, 404, 404, 404, 200],
  inviteAdministrator: /**/ [401, 404, 404, 404, 404, 200],
  deactivateFacility: /**/ [401, 404, 404, 404, 404, 200],
  reopenFacility: /*  */ [401, 404, 404, 404, 404, 200],
};

/** Addresses that belong to the operation of the server and say nothing of anybody. */
const OPERATIONS = ['GET /api/openapi.json', 'GET /config.json', 'GET /ready', 'GET /up', 'POST /csp-report'];

/** Addresses that a browser asks by itself; who gets what of them is in features/media, features/icons and features/chat. */
const PICTURES = ['GET /icons/_nuxt_icon/:file', 'GET /storage/attachments/:id/:size', 'GET /storage/avatars/:key'];
/** What a facility's directory asks, with a token of its own; who gets what of it is in features/scim. */
const SCIM = [
  ...['GET /scim/v2/ServiceProviderConfig', 'GET /scim/v2/ResourceTypes', 'GET /scim/v2/ResourceTypes/:id'],
  ...['GET /scim/v2/Schemas', 'GET /scim/v2/Schemas/:id'],
  ...['Users', 'Groups'].flatMap((kind) => [
    ...['GET', 'POST'].map((method) => `${method} /scim/v2/${kind}`),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /scim/v2/${kind}/:id`),
  ]),
];
/** How Fastify prints `/_img/*`. */
const IMAGE_PROXY = 'GET *';
/** A file also comes by POST, with `_method`. */
const STAND_INS = ['POST /api/user/avatar'];

const COLUMN: Readonly<Record<ActorName, number>> = {
  'signed out': 0,
  'of another facility': 1,
  operator: 5,
  'former member': 1,
  'member without right': 2,
  'reader of the chat': 3,
  'with the right': 4,
  'bearer with the right': 4,
};

const OF_OPERATOR = new Set(Object.keys(TABLE).filter((name) => TABLE[name]?.[5] !== undefined));

let world: World;
/** Every byte that each actor was given. */
const received = new Map<ActorName, string[]>();
/** What the operator was given by the system administration, which names facilities, people and roles. */
const administered: string[] = [];
/** The names that the world began with: some end while it is tried. */
let firstNames: string[];
let idsOfTheirs: Awaited<ReturnType<typeof idsOf>>;
const sockets = new Map<ActorName, TestSocket[]>();

beforeAll(async () => {
  world = await makeWorld();
  await needFactors(world);
  firstNames = await readNames();
  await openSockets();
  // Now that each of them has a session.
  idsOfTheirs = await idsOf(world.theirs.facility.id);
});
afterAll(async () => {
  for (const socket of [...sockets.values()].flat()) socket.close();
  await world.server.close();
});

/** Each actor tries every channel; what their sockets hear is kept. */
async function openSockets(): Promise<void> {
  for (const actor of ACTORS) {
    const socket = await openSocket(world.server);
    sockets.set(actor, [...(sockets.get(actor) ?? []), socket]);
    const client = await clientOf(world, actor);
    for (const channel of channelsOf(world)) await socket.join(client, channel);
  }
}

function framesOf(actor: ActorName) {
  return (sockets.get(actor) ?? []).flatMap((socket) => socket.frames);
}

function channelsOf({ ours, theirs }: World): string[] {
  return [ours, theirs].flatMap(({ facility, chatId, entitled, reader, member }) => [
    `private-facility.${facility.id}`,
    `presence-chat.${chatId}`,
    ...[entitled, reader, member].map((user) => `private-App.Models.User.${user.id}`),
  ]);
}

async function ask(actor: ActorName, endpoint: AnyEndpoint) {
  const sample = await sampleOf(world, endpoint);
  const client = await clientOf(world, actor);
  return send(actor, client, { endpoint, url: urlOf(endpoint, sample), ...payloadOf(endpoint, sample) });
}

async function send(
  actor: ActorName,
  client: TestClient,
  { endpoint, url, ...payload }: { endpoint: AnyEndpoint; url: string } & TestRequest,
) {
  // What is limited by address is asked from a new one each time.
  const response = await client.send(endpoint.method, url, { ...payload, ip: newAddress() });
  const isAdministered = actor === 'operator' && OF_OPERATOR.has(endpoint.name);
  const heard = isAdministered ? administered : (received.get(actor) ?? []);
  heard.push(JSON.stringify(response.headers), response.payload);
  if (!isAdministered) received.set(actor, heard);
  return response;
}

describe('the table', () => {
  it('PERM-3 has a row for every endpoint of the contract and no other', () => {
    expect(Object.keys(TABLE).sort()).toEqual(endpoints.map((endpoint) => endpoint.name).sort());
  });

  it('PERM-3 every address that the server answers is an endpoint of the contract or a known operation', () => {
    const stated = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect(boundRoutes().sort()).toEqual(
      [...stated, ...OPERATIONS, ...PICTURES, ...SCIM, IMAGE_PROXY, ...STAND_INS].sort(),
    );
  });
});

/** What Fastify itself says is bound, whoever bound it. */
function boundRoutes(): string[] {
  const tree = world.server.app.printRoutes({ commonPrefix: false });
  const found = new Set<string>();
  const path: string[] = [];
  for (const line of tree.split('\n')) {
    const match = /^(.*?)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const depth = (match[1] ?? '').length / 4;
    path.length = depth;
    path[depth] = match[2] ?? '';
    const methods = (match[3] ?? '').split(', ').filter((method) => method !== '' && method !== 'HEAD');
    // Endpoints are also known with a slash at their end.
    for (const method of methods) found.add(`${method} ${path.join('').replace(/(?<=[^/])\/$/, '')}`);
  }
  return [...found];
}

/** Who asks in `npm test`, of every endpoint: two who may not, and one of the others in turn. */
const ALWAYS: readonly ActorName[] = ['of another facility', 'member without right'];
const others = ACTORS.filter((actor) => !ALWAYS.includes(actor));

function askersOf(name: string): ActorName[] {
  const inOrder = inTurn(others, Object.keys(TABLE).indexOf(name));
  return [...new Set([...ALWAYS, ...(OF_OPERATOR.has(name) ? (['operator'] as const) : []), ...inOrder])];
}

const named = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [endpoint.name, endpoint] as const);

describe.each(named(endpoints))('%s', (name, endpoint) => {
  it.each(askersOf(name))('A16 PERM-3 answers as the table says: %s', async (actor) => {
    const response = await ask(actor, endpoint);
    expect(response.statusCode, response.payload).toBe(TABLE[name]?.[COLUMN[actor]] ?? TABLE[name]?.[1]);
    if (response.statusCode >= 400) expect(ErrorBody.safeParse(response.json()).success).toBe(true);
  });

  it('A16 says the same of a thing of another facility as of one that does not exist', async () => {
    const sample = await sampleOf(world, endpoint);
    const client = await clientOf(world, 'with the right');
    for (const [param, own] of Object.entries(sample.params ?? {})) {
      for (const id of [...foreignIds(param, Object.keys(TABLE).indexOf(name)), crypto.randomUUID()]) {
        const url = urlOf(endpoint, { ...sample, params: { ...sample.params, [param]: id } });
        const response = await send('with the right', client, { endpoint, url, ...payloadOf(endpoint, sample) });
        if (endpoint.status === 302 && response.statusCode === 302) {
          expect(response.headers.location).toBe('/verify-email?link=invalid');
          continue;
        }
        expect(response.statusCode, `${param} ${own} → ${id}`).toBe(404);
        expect(response.json()).toEqual({ message: 'Not found.', code: 'not_found' });
      }
    }
  });
});

/** In `npm test` a chat, a person and a session of theirs, what the parameter is named after, and one of all in turn. */
function foreignIds(param: string, index: number): string[] {
  const all = Object.values(idsOfTheirs).flat();
  if (isNightly) return all;
  const isMeant = (table: string) =>
    table.includes(param.slice(0, -1)) || ['chats', 'users', 'sessions'].includes(table);
  const meant = Object.entries(idsOfTheirs).flatMap(([table, ids]) => (isMeant(table) ? ids.slice(0, 1) : []));
  return [...new Set([...meant, ...inTurn(all, index)])];
}

/** The ids of the rows that belong to a facility by table, of its people and of a session of each. */
async function idsOf(facilityId: string): Promise<Record<string, string[]>> {
  const { db } = world.server;
  const ids: Record<string, string[]> = { facilities: [facilityId] };
  for (const table of [
    'units',
    'roles',
    'memberships',
    'invitations',
    'chats',
    'messages',
    'on_call_roles',
    'on_call_shifts',
  ]) {
    const rows = await sql<{
      id: string;
    }>`select id from ${sql.table(table)} where facility_id = ${facilityId}`.execute(db);
    ids[table] = rows.rows.map((row) => row.id);
  }
  const people = await db
    .selectFrom('memberships as m')
    .leftJoin('sessions as s', 's.user_id', 'm.user_id')
    .select(['m.user_id', 's.id as session_id'])
    .distinctOn('m.user_id')
    .where('m.facility_id', '=', facilityId)
    .orderBy('m.user_id')
    .execute();
  return {
    ...ids,
    users: people.map((person) => person.user_id),
    sessions: people.flatMap((person) => person.session_id ?? []),
  };
}

/** What is one's own, in whatever facility one is. */
const OWN = [
  'endSession',
  'revokePersonalToken',
  'renamePasskey',
  'removePasskey',
  'removeProviderLink',
  'downloadDataCopy',
];
/** What answers of the closed facility as of one that is not the person's. */
const UNTOLD: Readonly<Record<string, [status: number, code: string]>> = {
  authorizeChannel: [403, 'forbidden'],
  openNotification: [404, 'not_found'],
  noteNotificationDelivered: [404, 'not_found'],
};

describe('a facility that needs a second factor, for somebody with every right who gave none in this session', () => {
  it.each(named(everyNth(endpoints, 2)))('ACC-3 A16 %s gives nothing of it', async (name, endpoint) => {
    const sample = await sampleOf(world, endpoint);
    const client = await withPasswordAlone();
    const request = { ...payloadOf(endpoint, sample), ip: newAddress() };
    const response = await client.send(endpoint.method, urlOf(endpoint, sample), request);
    const [, outside, , , entitled] = TABLE[name] ?? [];
    const isOfFacility = outside !== entitled && !OWN.includes(name);
    const [status, code] = UNTOLD[name] ?? [403, 'second_factor_needed'];
    expect(response.statusCode, response.payload).toBe(isOfFacility ? status : entitled);
    if (isOfFacility) expect(response.json().code).toBe(code);
    expect(namesOf(world.ours, name).filter((text) => response.payload.includes(text))).toEqual([]);
  });

  it('ACC-3 A18 lets in to no channel of it, and tells their own channel nothing of its chats', async () => {
    const { ours } = world;
    const client = await withPasswordAlone();
    const socket = await openSocket(world.server);
    const joined = [];
    for (const channel of channelsOf(world)) joined.push([channel, await socket.join(client, channel)] as const);
    const own = `private-App.Models.User.${ours.entitled.id}`;
    expect(joined.filter(([, verdict]) => verdict === 'joined')).toEqual([[own, 'joined']]);
    const body = { client_id: crypto.randomUUID(), body: `News ${ours.marker}` };
    const writer = await clientOf(world, 'with the right');
    expect((await writer.send('POST', `/api/chats/${ours.chatId}/messages`, { body })).statusCode).toBe(201);
    await socket.settle();
    expect(JSON.stringify(socket.frames)).not.toContain(ours.chatId);
    socket.close();
  });
});

describe('a facility that was deactivated, for somebody with every right who gave a second factor', () => {
  /** Made while it is open, asked while it is closed. */
  const whileClosed = async <T>(work: () => Promise<T>): Promise<T> => {
    const setClosed = (deactivated_at: Date | null) =>
      world.server.db
        .updateTable('facilities')
        .set({ deactivated_at })
        .where('id', '=', world.ours.facility.id)
        .execute();
    await setClosed(new Date());
    try {
      return await work();
    } finally {
      await setClosed(null);
    }
  };
  const withFactor = async () =>
    withSession(
      world.server,
      await makeSession(world.server.db, { userId: world.ours.entitled.id, hasGivenFactor: true }),
    );

  // In `npm test` those that the facility which needs a factor leaves out.
  it.each(named(isNightly ? endpoints : everyNth(endpoints.slice(1), 2)))(
    'ADM-2 A16 %s gives nothing of it',
    async (name, endpoint) => {
      const sample = await sampleOf(world, endpoint);
      const client = await withFactor();
      const request = { ...payloadOf(endpoint, sample), ip: newAddress() };
      const response = await whileClosed(() => client.send(endpoint.method, urlOf(endpoint, sample), request));
      const [, outside, , , entitled] = TABLE[name] ?? [];
      const isOfFacility = outside !== entitled && !OWN.includes(name);
      const [status, code] = UNTOLD[name] ?? [403, 'facility_closed'];
      expect(response.statusCode, response.payload).toBe(isOfFacility ? status : entitled);
      if (isOfFacility) expect(response.json().code).toBe(code);
      expect(namesOf(world.ours, name).filter((text) => response.payload.includes(text))).toEqual([]);
    },
  );

  it('ADM-2 A18 lets in to no channel of it', async () => {
    const client = await withFactor();
    const socket = await openSocket(world.server);
    const joined = await whileClosed(async () => {
      const verdicts = [];
      for (const channel of channelsOf(world)) verdicts.push([channel, await socket.join(client, channel)] as const);
      return verdicts.filter(([, verdict]) => verdict === 'joined').map(([channel]) => channel);
    });
    expect(joined).toEqual([`private-App.Models.User.${world.ours.entitled.id}`]);
    socket.close();
  });
});

async function withPasswordAlone(): Promise<TestClient> {
  return withSession(world.server, await makeSession(world.server.db, { userId: world.ours.entitled.id }));
}

/** What tells a person about themselves names the facility, to say that it needs a second factor, or that one leaves it. */
const NAMING = [
  'getUser',
  'updateProfile',
  'setAvatar',
  'removeAvatar',
  'updateNotificationSettings',
  'getAccountDeletion',
];

function namesOf({ facility, chatId, marker }: World['ours'], endpoint: string): string[] {
  const named = ['Patient', 'Unit', 'First', 'Chat', ...(NAMING.includes(endpoint) ? [] : ['Hospital'])];
  // What is to be taken off the device is named by its id.
  const ids = endpoint === 'sync' ? [facility.id] : NAMING.includes(endpoint) ? [chatId] : [chatId, facility.id];
  return [...ids, ...named.map((what) => `${what} ${marker}`)];
}

describe('ids of another facility inside a body or a query', () => {
  const foreign = async (name: string, change: (world: World) => { body?: object; query?: Record<string, string> }) => {
    const endpoint = endpoints.find((candidate) => candidate.name === name);
    if (!endpoint) throw new Error(`no endpoint ${name}`);
    const sample = await sampleOf(world, endpoint);
    const { body, query } = change(world);
    const url = urlOf(endpoint, { ...sample, query: { ...sample.query, ...query } });
    const client = await clientOf(world, 'with the right');
    const changed = sample.body && { ...sample.body, ...body };
    return send('with the right', client, { endpoint, url, body: changed });
  };

  it('A16 a chat takes nobody of another facility', async () => {
    const response = await foreign('createChat', ({ theirs }) => ({ body: { participant_ids: [theirs.member.id] } }));
    expect(response.statusCode).toBe(422);
  });

  it('A16 A30 an invitation gives no role of another facility', async () => {
    const role_ids = [world.theirs.facility.roles.clinician];
    expect((await foreign('createInvitation', () => ({ body: { role_ids } }))).statusCode).toBe(422);
  });

  it('A16 a message answers none of another facility', async () => {
    const response = await foreign('sendMessage', ({ theirs }) => ({ body: { reply_to: theirs.messageId } }));
    expect(response.statusCode).toBe(422);
  });

  it('A16 a page of members starts at nobody of another facility', async () => {
    const response = await foreign('listMembers', ({ theirs }) => ({ query: { cursor: theirs.member.id } }));
    expect(response.statusCode).toBe(422);
  });

  it('A17 no search finds a word of another facility', async () => {
    for (const name of ['listMembers', 'listChats']) {
      const response = await foreign(name, ({ theirs }) => ({ query: { q: theirs.marker } }));
      expect(response.json().data, name).toEqual([]);
    }
    const found = await foreign('search', ({ theirs }) => ({ query: { q: theirs.marker } }));
    expect(found.json()).toEqual({ data: [], next_cursor: null, files: [], chats: [], people: [] });
  });

  it('A16 A17 a search asks of no chat and no facility that is not the searcher’s', async () => {
    for (const query of [
      ({ theirs }: World) => ({ chat: theirs.chatId }),
      ({ theirs }: World) => ({ facility: theirs.facility.id }),
    ]) {
      const response = await foreign('search', (sides) => ({ query: query(sides) }));
      expect(response.statusCode).toBe(404);
    }
  });
});

describe('markers', () => {
  // Sessions have ended meanwhile, and sockets with them.
  beforeAll(openSockets);

  it('I1 each facility has its marker in every text that is stored of it', async () => {
    for (const side of [world.ours, world.theirs]) {
      expect(await textColumnsWithout(side)).toEqual([]);
    }
  });

  it('A16 A18 I1 no byte that an actor received by request or socket is of a facility that is not theirs', async () => {
    await publishChange('with the right', world.ours);
    await publishChange('of another facility', world.theirs);
    for (const actor of ACTORS) {
      const bytes = [...(received.get(actor) ?? []), JSON.stringify(framesOf(actor))].join('\n');
      const own = ownMarker(actor);
      for (const { marker } of [world.ours, world.theirs]) {
        expect(mentions(bytes, marker), `${actor} hears of ${marker}`).toBe(marker === own);
      }
    }
  });

  it('PERM-4 A16 the system administration names facilities, people and roles, and tells nothing else that is stored of them', async () => {
    expect(administered.length).toBeGreaterThanOrEqual(OF_OPERATOR.size);
    const names = [...firstNames, ...(await readNames())].toSorted((a, b) => b.length - a.length);
    let bytes = administered.join('\n');
    expect(mentions(bytes, world.ours.marker)).toBe(true);
    for (const name of names) bytes = bytes.replaceAll(name, '');
    for (const { marker } of [world.ours, world.theirs]) expect(mentions(bytes, marker), bytes).toBe(false);
  });

  it('A18 only those in the chat were let in to its channel, and heard the news', () => {
    const { ours } = world;
    const heard = ACTORS.filter((actor) =>
      framesOf(actor).some((frame) => JSON.stringify(frame).includes(`News ${ours.marker}`)),
    );
    expect(heard).toEqual(['reader of the chat', 'with the right', 'bearer with the right']);
  });
});

/** Of facilities, people and roles, as the system administration shows them. */
async function readNames(): Promise<string[]> {
  const named = await sql<{ name: string }>`
    select name from facilities union select name from users union select email from users union select name from roles`.execute(
    world.server.db,
  );
  return named.rows.map(({ name }) => name);
}

/** Something that every socket in the chat must hear, and no other. */
async function publishChange(actor: ActorName, { chatId, marker }: World['ours']): Promise<void> {
  const client = await clientOf(world, actor);
  const body = { client_id: crypto.randomUUID(), body: `News ${marker}` };
  expect((await client.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBe(201);
  for (const actor of ACTORS) await sockets.get(actor)?.at(-1)?.settle();
}

function ownMarker(actor: ActorName): string | null {
  if (actor === 'of another facility') return world.theirs.marker;
  return actor !== 'operator' && COLUMN[actor] >= 2 ? world.ours.marker : null;
}

/** By the end of the marker, which fits into the shortest of the columns. */
function mentions(bytes: string, marker: string): boolean {
  return bytes.toLowerCase().includes(marker.slice(-12).toLowerCase());
}

/** Columns of text in which no row of the facility has the marker, apart from those of a closed list of words. */
async function textColumnsWithout({ facility, marker }: World['ours']): Promise<string[]> {
  const { db } = world.server;
  const columns = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'ARRAY')
      and c.table_name in ('facilities', 'units', 'roles', 'memberships', 'invitations', 'chats', 'messages', 'on_call_roles')`.execute(
    db,
  );
  const text = ['code', 'time_zone', 'hour_cycle', 'date_order', 'kind', 'act_kind', 'state', 'permissions'];
  const missing: string[] = [];
  for (const { table_name: table, column_name: column } of columns.rows) {
    if (text.includes(column) && table !== 'units') continue;
    const of = table === 'facilities' ? 'id' : 'facility_id';
    const found = await sql`
      select 1 from ${sql.table(table)} t
      where ${sql.ref(of)} = ${facility.id} and ${sql.ref(column)}::text ilike ${`%${marker.slice(-12)}%`} limit 1`.execute(
      db,
    );
    if (found.rows.length === 0) missing.push(`${table}.${column}`);
  }
  return missing;
}
