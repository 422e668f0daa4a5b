import { accountEndpoints, avatarEndpoints, contactEndpoints } from './account.ts';
import { auditEndpoints } from './audit.ts';
import { authEndpoints } from './auth.ts';
import { censusBoardEndpoints } from './census-board.ts';
import { censusDayEndpoints } from './census-day.ts';
import { censusExchangeEndpoints } from './census-exchange.ts';
import { censusFeedEndpoints } from './census-feed.ts';
import { censusLogEndpoints } from './census-logs.ts';
import { censusNursingEndpoints } from './census-nursing.ts';
import { censusProposalEndpoints } from './census-proposals.ts';
import { censusSettingsEndpoints } from './census-settings.ts';
import { censusSummaryEndpoints } from './census-summary.ts';
import { censusUnitEndpoints } from './census-unit.ts';
import { chatEndpoints } from './chat.ts';
import { chatChangeEndpoints } from './chat-changes.ts';
import { chatManagementEndpoints } from './chat-management.ts';
import { citationEndpoints } from './citations.ts';
import { criticalEndpoints } from './critical-acts.ts';
import { draftEndpoints } from './drafts.ts';
import { emergencyAccessEndpoints } from './emergency-access.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { examinationEndpoints } from './examinations.ts';
import { facilityEndpoints } from './facilities.ts';
import { facilitySettingsEndpoints } from './facility-settings.ts';
import { handoverEndpoints } from './handovers.ts';
import { imageEndpoints } from './image-addresses.ts';
import { interruptionEndpoints } from './interruptions.ts';
import { invitationEndpoints } from './invitations.ts';
import { memberEndpoints } from './members.ts';
import { messageTemplateEndpoints } from './message-templates.ts';
import { notificationEndpoints } from './notifications.ts';
import { onCallEndpoints } from './on-call.ts';
import { ownDataEndpoints } from './own-data.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { personalTokenEndpoints } from './personal-tokens.ts';
import { presenceEndpoints } from './presence.ts';
import { realtimeEndpoints } from './realtime.ts';
import { recordEndpoints } from './records.ts';
import { scimTokenEndpoints } from './scim.ts';
import { searchEndpoints } from './search.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { setUpEndpoints } from './set-up.ts';
import { singleSignOnEndpoints } from './single-sign-on.ts';
import { systemEndpoints } from './system.ts';
import { systemAccountEndpoints } from './system-accounts.ts';
import { systemFacilityEndpoints } from './system-facilities.ts';
import { trendEndpoints } from './trends.ts';
import { uploadEndpoints } from './uploads.ts';
import { urgentEndpoints } from './urgent-acts.ts';

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
  ...chatEndpoints,
  ...chatManagementEndpoints,
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
  ...citationEndpoints,
  ...trendEndpoints,
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
