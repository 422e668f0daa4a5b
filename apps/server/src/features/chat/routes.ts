import * as contract from '@wardline/contract/chat/chat.ts';
import * as changes from '@wardline/contract/chat/chat-changes.ts';
import * as management from '@wardline/contract/chat/chat-management.ts';
import * as roles from '@wardline/contract/chat/chat-roles.ts';
import { listCitations as listCitationsEndpoint } from '@wardline/contract/chat/citations.ts';
import * as critical from '@wardline/contract/chat/critical-acts.ts';
import * as drafts from '@wardline/contract/chat/drafts.ts';
import * as emergency from '@wardline/contract/chat/emergency-access.ts';
import * as interruptions from '@wardline/contract/chat/interruptions.ts';
import * as templates from '@wardline/contract/chat/message-templates.ts';
import { listChatPictures as listChatPicturesEndpoint } from '@wardline/contract/chat/pictures.ts';
import * as records from '@wardline/contract/chat/records.ts';
import { search as searchEndpoint } from '@wardline/contract/chat/search.ts';
import * as uploads from '@wardline/contract/chat/uploads.ts';
import * as urgent from '@wardline/contract/chat/urgent-acts.ts';
import type { Seal } from '#/platform/config/seal.ts';
import { type Route, route, streamRoute } from '#/platform/http/route.ts';
import { appendUpload } from './attachments/append-upload.ts';
import type { AttachmentDeps } from './attachments/attachment-store.ts';
import { cancelUpload } from './attachments/cancel-upload.ts';
import { createDirectUpload, createRoleUpload, createUpload } from './attachments/create-upload.ts';
import { createFinishUpload } from './attachments/finish-upload.ts';
import { getUpload } from './attachments/get-upload.ts';
import { getUploadLimits } from './attachments/get-upload-limits.ts';
import { listChatPictures } from './attachments/list-pictures.ts';
import { type SignAttachmentsDeps, signAttachments } from './attachments/sign-attachments.ts';
import { createChat } from './chats/create-chat.ts';
import { findOwnCases } from './chats/find-own-cases.ts';
import { getChat } from './chats/get-chat.ts';
import { listChats } from './chats/list-chats.ts';
import { sync } from './chats/sync.ts';
import { updateChat } from './chats/update-chat.ts';
import { listCitations } from './citations/list-citations.ts';
import { exportCriticalTimes, listCriticalTimes } from './critical/critical-times.ts';
import { readBackCritical, receiveCritical } from './critical/read-back.ts';
import { listDrafts } from './drafts/list-drafts.ts';
import { saveDraft } from './drafts/save-draft.ts';
import { type EmergencyDeps, findPatientChats } from './emergency/find-patient-chats.ts';
import { openInEmergency } from './emergency/open-in-emergency.ts';
import {
  countEmergencyAccesses,
  listEmergencyAccesses,
  reviewEmergencyAccess,
} from './emergency/review-emergencies.ts';
import { exportInterruptions, listInterruptions } from './interruptions/list-interruptions.ts';
import { deleteMessage } from './messages/delete-message.ts';
import { editMessage } from './messages/edit-message.ts';
import { forwardMessage } from './messages/forward-message.ts';
import { getForwardSource } from './messages/get-forward-source.ts';
import { listMessageVersions } from './messages/list-message-versions.ts';
import { listMessages } from './messages/list-messages.ts';
import { listPins } from './messages/list-pins.ts';
import { raiseMarkers } from './messages/raise-markers.ts';
import { sendDirectMessage } from './messages/send-direct-message.ts';
import { type SendMessageDeps, sendMessage } from './messages/send-message.ts';
import { setPin } from './messages/set-pin.ts';
import { setReaction } from './messages/set-reaction.ts';
import { addParticipant } from './participants/add-participant.ts';
import { listParticipants } from './participants/list-participants.ts';
import { removeParticipant } from './participants/remove-participant.ts';
import { setFavorite } from './participants/set-favorite.ts';
import { setNotifications } from './participants/set-notifications.ts';
import { setUnreadMark } from './participants/set-unread-mark.ts';
import { type ExportDeps, exportChatRecord, exportPatientRecord } from './record-export/export-record.ts';
import { getChatRecord } from './records/get-chat-record.ts';
import { liftLegalHold, listLegalHolds, placeLegalHold } from './records/legal-holds.ts';
import { listHoldablePeople } from './records/list-holdable-people.ts';
import { listUnexportedChats } from './records/list-unexported-chats.ts';
import { getRetention, previewRetention, setRetention } from './records/retention-rules.ts';
import { addChatRole, type ChatRolesDeps, listChatRoles, removeChatRole } from './roles/chat-roles.ts';
import { sendRoleMessage } from './roles/send-role-message.ts';
import { search } from './search/search.ts';
import { listMessageTemplates } from './templates/list-templates.ts';
import { createMessageTemplate, deleteMessageTemplate, updateMessageTemplate } from './templates/save-template.ts';
import { acceptUrgent, closeUrgent, withdrawUrgent } from './urgent/act-on-urgent.ts';
import { getUrgentLadder, setUrgentLadder } from './urgent/ladder.ts';
import { listUrgent } from './urgent/list-urgent.ts';
import { noteUrgentDelivered } from './urgent/note-urgent-delivered.ts';

type ChatDeps = ChatRolesDeps &
  SendMessageDeps &
  AttachmentDeps &
  SignAttachmentsDeps &
  EmergencyDeps &
  ExportDeps & { readonly draftSeal: Seal };

export function chatRoutes(deps: ChatDeps): Route[] {
  return [
    route(contract.listChats, listChats),
    route(management.createChat, createChat, { limit: 'opening' }),
    route(management.findOwnCases, findOwnCases, { limit: 'search' }),
    route(contract.getChat, getChat),
    route(management.updateChat, updateChat),
    route(contract.listParticipants, listParticipants),
    route(management.addParticipant, addParticipant, { limit: 'opening' }),
    route(management.removeParticipant, removeParticipant(deps)),
    route(roles.listChatRoles, listChatRoles),
    route(roles.addChatRole, addChatRole(deps), { limit: 'opening' }),
    route(roles.removeChatRole, removeChatRole(deps)),
    route(management.setNotifications, setNotifications),
    route(management.setFavorite, setFavorite),
    route(management.setUnreadMark, setUnreadMark),
    route(emergency.findPatientChats, findPatientChats(deps)),
    route(emergency.openInEmergency, openInEmergency(deps), { limit: 'opening' }),
    route(emergency.listEmergencyAccesses, listEmergencyAccesses),
    route(emergency.countEmergencyAccesses, countEmergencyAccesses),
    route(emergency.reviewEmergencyAccess, reviewEmergencyAccess),
    route(records.getRetention, getRetention),
    route(records.previewRetention, previewRetention, { limit: 'export' }),
    route(records.setRetention, setRetention),
    route(records.listUnexportedChats, listUnexportedChats),
    route(records.listLegalHolds, listLegalHolds),
    route(records.listHoldablePeople, listHoldablePeople),
    route(records.placeLegalHold, placeLegalHold),
    route(records.liftLegalHold, liftLegalHold),
    route(records.getChatRecord, getChatRecord),
    route(records.exportChatRecord, exportChatRecord(deps)),
    route(records.exportPatientRecord, exportPatientRecord(deps)),
    route(contract.listMessages, listMessages),
    route(contract.sendMessage, sendMessage(deps), { limit: 'message' }),
    route(contract.sendDirectMessage, sendDirectMessage(deps), { limit: 'opening' }),
    route(roles.sendRoleMessage, sendRoleMessage(deps), { limit: 'opening' }),
    route(changes.setReaction, setReaction),
    route(changes.editMessage, editMessage, { limit: 'message' }),
    route(changes.listMessageVersions, listMessageVersions),
    route(changes.deleteMessage, deleteMessage),
    route(changes.setPin, setPin),
    route(changes.listPins, listPins),
    route(changes.forwardMessage, forwardMessage, { limit: 'message' }),
    route(changes.getForwardSource, getForwardSource),
    route(uploads.getUploadLimits, getUploadLimits(deps)),
    route(uploads.createUpload, createUpload(deps)),
    route(uploads.createDirectUpload, createDirectUpload(deps)),
    route(uploads.createRoleUpload, createRoleUpload(deps)),
    route(uploads.getUpload, getUpload),
    streamRoute(uploads.appendUpload, appendUpload(deps, createFinishUpload(deps)), { limit: 'upload' }),
    route(uploads.cancelUpload, cancelUpload),
    route(listChatPicturesEndpoint, listChatPictures),
    route(uploads.signAttachments, signAttachments(deps), { limit: 'background' }),
    route(drafts.listDrafts, listDrafts(deps)),
    route(drafts.saveDraft, saveDraft(deps), { limit: 'background' }),
    route(contract.raiseMarkers, raiseMarkers, { limit: 'background' }),
    route(contract.sync, sync),
    route(critical.receiveCritical, receiveCritical),
    route(critical.readBackCritical, readBackCritical),
    route(critical.listCriticalTimes, listCriticalTimes),
    route(critical.exportCriticalTimes, exportCriticalTimes, { limit: 'export' }),
    route(interruptions.listInterruptions, listInterruptions),
    route(interruptions.exportInterruptions, exportInterruptions, { limit: 'export' }),
    route(urgent.noteUrgentDelivered, noteUrgentDelivered),
    route(urgent.acceptUrgent, acceptUrgent),
    route(urgent.closeUrgent, closeUrgent),
    route(urgent.withdrawUrgent, withdrawUrgent),
    route(urgent.listUrgent, listUrgent),
    route(urgent.getUrgentLadder, getUrgentLadder),
    route(urgent.setUrgentLadder, setUrgentLadder),
    route(templates.listMessageTemplates, listMessageTemplates),
    route(templates.createMessageTemplate, createMessageTemplate),
    route(templates.updateMessageTemplate, updateMessageTemplate),
    route(templates.deleteMessageTemplate, deleteMessageTemplate),
    route(listCitationsEndpoint, listCitations),
    route(searchEndpoint, search, { limit: 'search' }),
  ];
}
