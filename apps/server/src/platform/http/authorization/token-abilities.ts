import { type Ability, EVERY_ABILITY } from '@wardline/contract/account/personal-tokens.ts';
import type { Channel } from '@wardline/contract/channel.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';

/**
 * What a personal access token may be used for: the one place that says so. An endpoint takes a token with one of its
 * abilities; what is not named here takes none. Nothing that asks for the password, makes tokens, changes how one signs in or
 * decides who belongs is ever named.
 */
export const ENDPOINT_ABILITIES: Readonly<Partial<Record<string, readonly Ability[]>>> = {
  getUser: ['account:read'],
  getAccount: ['account:read'],
  listFacilities: ['account:read'],

  listChats: ['chats:read'],
  getChat: ['chats:read'],
  listParticipants: ['chats:read'],
  listMessages: ['chats:read'],
  listMessageVersions: ['chats:read'],
  listPins: ['chats:read'],
  getForwardSource: ['chats:read'],
  listUrgent: ['chats:read'],
  listExaminations: ['chats:read'],
  getExamination: ['chats:read'],
  listReportVersions: ['chats:read'],
  listCitations: ['chats:read'],
  listChatPictures: ['chats:read'],
  listTrend: ['chats:read'],
  signAttachments: ['chats:read'],
  signImages: ['chats:read'],
  sync: ['chats:read'],
  search: ['chats:read'],

  sendMessage: ['messages:send'],
  sendDirectMessage: ['messages:send'],
  getUploadLimits: ['messages:send'],
  createUpload: ['messages:send'],
  createDirectUpload: ['messages:send'],
  getUpload: ['messages:send'],
  appendUpload: ['messages:send'],
  cancelUpload: ['messages:send'],

  listUnits: ['census:read', 'census:report'],
  getCensusBoard: ['census:read'],
  getCensusAlert: ['census:read'],
  getCensusHeatmap: ['census:read'],
  getCensusSummary: ['census:read'],
  getCensusForecast: ['census:read'],
  getFacilityDay: ['census:read'],
  getSignedDay: ['census:read'],
  listNursingHours: ['census:read'],
  listOwedReports: ['census:read', 'census:report'],
  listReportsToApprove: ['census:read'],
  getUnitDay: ['census:read', 'census:report'],
  getNursingHours: ['census:read', 'census:report'],
  putUnitDay: ['census:report'],
  submitUnitDay: ['census:report'],
  withdrawUnitDay: ['census:report'],
  takeSnapshot: ['census:report'],
  putNursingHours: ['census:report'],

  receiveHl7: ['census:feed'],

  // Each channel asks for its own besides.
  authorizeChannel: ['chats:read', 'census:read'],
};

/** The same of channels, by the pattern of their names. */
const CHANNEL_ABILITIES: Readonly<Partial<Record<string, Ability>>> = {
  'App.Models.User.{user}': 'chats:read',
  'chat.{chat}': 'chats:read',
  'census.{facility}': 'census:read',
};

/** Files and pictures, which a browser asks for by their addresses. */
const FILES: Ability = 'chats:read';

/** Refuses a token that is not for this endpoint; whoever is not signed in has none. */
export function requireAbility({ name }: AnyEndpoint, actor: Pick<Actor, 'credential'> | null): void {
  if (actor !== null && !hasAbility(actor, ENDPOINT_ABILITIES[name] ?? [])) throw notOfToken();
}

export function mayJoinByToken({ pattern }: Pick<Channel, 'pattern'>, actor: Pick<Actor, 'credential'>): boolean {
  return hasAbility(actor, CHANNEL_ABILITIES[pattern] ?? []);
}

/** A program only listens to what is live: it has no cursor in any field. */
export function mayBeLive(actor: Pick<Actor, 'credential'>): boolean {
  return hasAbility(actor, []);
}

/** Who asks for a file, where their token is for that. */
export function requireFiles(actor: Actor | null): Actor | null {
  if (actor !== null && !hasAbility(actor, FILES)) throw notOfToken();
  return actor;
}

function notOfToken(): AppError {
  return new AppError('forbidden', { message: 'This token may not be used for this.' });
}

function hasAbility(
  { credential: { abilities } }: Pick<Actor, 'credential'>,
  needed: Ability | readonly Ability[],
): boolean {
  return abilities.includes(EVERY_ABILITY) || [needed].flat().some((ability) => abilities.includes(ability));
}
