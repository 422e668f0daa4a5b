import { accountEndpoints, avatarEndpoints, contactEndpoints } from './account/account.ts';
import { authEndpoints } from './account/auth.ts';
import { ownDataEndpoints } from './account/own-data.ts';
import { passkeyEndpoints } from './account/passkeys.ts';
import { personalTokenEndpoints } from './account/personal-tokens.ts';
import { scimTokenEndpoints } from './account/scim.ts';
import { secondFactorEndpoints } from './account/second-factor.ts';
import { singleSignOnEndpoints } from './account/single-sign-on.ts';
import { auditEndpoints } from './audit.ts';
import { censusBoardEndpoints } from './census/board.ts';
import { censusDayEndpoints } from './census/day.ts';
import { censusExchangeEndpoints } from './census/exchange.ts';
import { censusFeedEndpoints } from './census/feed.ts';
import { censusLogEndpoints } from './census/logs.ts';
import { censusNursingEndpoints } from './census/nursing.ts';
import { censusProposalEndpoints } from './census/proposals.ts';
import { censusSettingsEndpoints } from './census/settings.ts';
import { censusSummaryEndpoints } from './census/summary.ts';
import { censusUnitEndpoints } from './census/unit.ts';
import { chatEndpoints } from './chat/chat.ts';
import { chatChangeEndpoints } from './chat/chat-changes.ts';
import { chatManagementEndpoints } from './chat/chat-management.ts';
import { chatRoleEndpoints } from './chat/chat-roles.ts';
import { citationEndpoints } from './chat/citations.ts';
import { criticalEndpoints } from './chat/critical-acts.ts';
import { draftEndpoints } from './chat/drafts.ts';
import { emergencyAccessEndpoints } from './chat/emergency-access.ts';
import { interruptionEndpoints } from './chat/interruptions.ts';
import { messageTemplateEndpoints } from './chat/message-templates.ts';
import { notificationEndpoints } from './chat/notifications.ts';
import { pictureEndpoints } from './chat/pictures.ts';
import { recordEndpoints } from './chat/records.ts';
import { searchEndpoints } from './chat/search.ts';
import { uploadEndpoints } from './chat/uploads.ts';
import { urgentEndpoints } from './chat/urgent-acts.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { examinationEndpoints } from './examinations/examinations.ts';
import { formEndpoints } from './examinations/forms.ts';
import { handoverEndpoints } from './examinations/handovers.ts';
import { importEndpoints } from './examinations/imports.ts';
import { laboratoryEndpoints } from './examinations/laboratory.ts';
import { trendEndpoints } from './examinations/trends.ts';
import { facilityEndpoints } from './facilities/facilities.ts';
import { facilitySettingsEndpoints } from './facilities/facility-settings.ts';
import { invitationImportEndpoints } from './facilities/invitation-imports.ts';
import { invitationEndpoints } from './facilities/invitations.ts';
import { memberEndpoints } from './facilities/members.ts';
import { onCallEndpoints } from './facilities/on-call.ts';
import { presenceEndpoints } from './facilities/presence.ts';
import { setUpEndpoints } from './facilities/set-up.ts';
import { systemEndpoints } from './facilities/system.ts';
import { systemAccountEndpoints } from './facilities/system-accounts.ts';
import { systemFacilityEndpoints } from './facilities/system-facilities.ts';
import { imageEndpoints } from './image-addresses.ts';
import { realtimeEndpoints } from './realtime.ts';

/** Every operation of the contract; the OpenAPI document and the access matrix are made from it. */
export const endpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...passkeyEndpoints,
  ...personalTokenEndpoints,
  ...singleSignOnEndpoints,
  ...setUpEndpoints,
  ...accountEndpoints,
  ...ownDataEndpoints,
  ...notificationEndpoints,
  ...facilityEndpoints,
  ...auditEndpoints,
  ...memberEndpoints,
  ...facilitySettingsEndpoints,
  ...scimTokenEndpoints,
  ...systemEndpoints,
  ...systemAccountEndpoints,
  ...systemFacilityEndpoints,
  ...onCallEndpoints,
  ...presenceEndpoints,
  ...invitationEndpoints,
  ...invitationImportEndpoints,
  ...chatEndpoints,
  ...chatManagementEndpoints,
  ...chatRoleEndpoints,
  ...emergencyAccessEndpoints,
  ...recordEndpoints,
  ...chatChangeEndpoints,
  ...draftEndpoints,
  ...uploadEndpoints,
  ...urgentEndpoints,
  ...criticalEndpoints,
  ...interruptionEndpoints,
  ...messageTemplateEndpoints,
  ...searchEndpoints,
  ...examinationEndpoints,
  ...formEndpoints,
  ...citationEndpoints,
  ...pictureEndpoints,
  ...trendEndpoints,
  ...importEndpoints,
  ...laboratoryEndpoints,
  ...handoverEndpoints,
  ...censusUnitEndpoints,
  ...censusDayEndpoints,
  ...censusBoardEndpoints,
  ...censusSummaryEndpoints,
  ...censusSettingsEndpoints,
  ...censusNursingEndpoints,
  ...censusLogEndpoints,
  ...censusExchangeEndpoints,
  ...censusProposalEndpoints,
  ...censusFeedEndpoints,
  ...realtimeEndpoints,
  ...avatarEndpoints,
  ...imageEndpoints,
  ...contactEndpoints,
];
