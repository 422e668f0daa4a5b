import * as contract from '@wardline/contract/chat.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { addParticipant } from './add-participant.ts';
import { createChat } from './create-chat.ts';
import { getChat } from './get-chat.ts';
import { listChats } from './list-chats.ts';
import { listMessages } from './list-messages.ts';
import { listParticipants } from './list-participants.ts';
import { raiseMarkers } from './raise-markers.ts';
import { type RemoveParticipantDeps, removeParticipant } from './remove-participant.ts';
import { sendMessage } from './send-message.ts';
import { sync } from './sync.ts';
import { updateChat } from './update-chat.ts';

export function chatRoutes(deps: RemoveParticipantDeps): Route[] {
  return [
    route(contract.listChats, listChats),
    route(contract.createChat, createChat),
    route(contract.getChat, getChat),
    route(contract.updateChat, updateChat),
    route(contract.listParticipants, listParticipants),
    route(contract.addParticipant, addParticipant),
    route(contract.removeParticipant, removeParticipant(deps)),
    route(contract.listMessages, listMessages),
    route(contract.sendMessage, sendMessage),
    route(contract.raiseMarkers, raiseMarkers),
    route(contract.sync, sync),
  ];
}
