import { Navigate } from '@tanstack/react-router';
import { statusOf } from '@wardline/client/http/api-error.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { getMember, type Member } from '@wardline/contract/facilities/members.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { MessageSquareOff } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuidv7, v5 } from 'uuid';
import { ChatScreen } from '#/features/chat/chat-view/chat-screen.tsx';
import { ChatFailed, ChatLoading } from '#/features/chat/chat-view/chat-states.tsx';
import type { DrawAct } from '#/features/chat/chat-view/message-row.tsx';
import { facilityPath } from '#/features/chat/core/chat-paths.ts';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import { personKey } from '#/features/chat/core/known-person.ts';
import { timelineItems } from '#/features/chat/engine/chat-items.ts';
import type { DirectTarget } from '#/features/chat/engine/send-message.ts';
import { rolePath } from '#/features/chat/roles/role-path.ts';
import { useFacilityRoles } from '#/features/chat/roles/use-roles.ts';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { directChatId } from './direct-chat-id.ts';

interface DirectPaneProps {
  readonly facility: Facility;
  readonly userId: string;
  readonly me: Person;
  readonly drawAct: DrawAct;
}

/** The chat with a person: leads to the chat of the two where there is one, else waits for the message that makes it. */
export function DirectPane(props: DirectPaneProps) {
  const { facility, userId, me } = props;
  const list = useChats();
  const person = usePerson(facility.id, userId);
  const known = list.items.find(({ chat }) => chat.facility_id === facility.id && chat.direct?.user_id === userId);
  usePageTitle(person.data?.name ?? 'Chat');
  if (known) {
    const params = { facilityId: facility.id, chatId: known.chat.id };
    return <Navigate to="/chat/f-{$facilityId}/c-{$chatId}" params={params} search={(search) => search} replace />;
  }
  const label = person.data ? `Chat: ${person.data.name}` : 'Chat';
  return (
    <Pane name="chat" label={label}>
      {userId === me.id || statusOf(person.error) === 404 ? (
        <NobodyThere facility={facility} title="No one to write to here">
          {userId === me.id ? 'This is you.' : 'This person is no longer in this facility.'}
        </NobodyThere>
      ) : list.status === 'loading' || person.isPending ? (
        <ChatLoading facilityId={facility.id} />
      ) : person.data === undefined ? (
        <ChatFailed
          facilityId={facility.id}
          error={formatFailure(person.error)}
          onRetry={() => void person.refetch()}
        />
      ) : (
        <FirstMessage {...props} person={person.data} />
      )}
    </Pane>
  );
}

function usePerson(facilityId: string, userId: string) {
  const call = useCall();
  return useQuery({
    queryKey: personKey(facilityId, userId),
    queryFn: ({ signal }) => call(getMember, { params: { facility: facilityId, user: userId }, signal }),
    staleTime: 60_000,
  });
}

interface NobodyThereProps {
  readonly facility: Facility;
  readonly title: string;
  readonly children: string;
}

function NobodyThere({ facility, title, children }: NobodyThereProps) {
  return (
    <>
      <PaneHead title="Chat" back={{ href: facilityPath(facility.id), label: 'Back to chats' }} />
      <EmptyState icon={MessageSquareOff} title={title}>
        {children}
      </EmptyState>
    </>
  );
}

function FirstMessage({ facility, me, drawAct, person }: DirectPaneProps & { readonly person: Member }) {
  const { user_id: userId, name, title, avatar_url = null } = person;
  return (
    <FirstMessageTo
      {...{ facility, me, drawAct, name }}
      chatId={directChatId(facility.id, me.id, userId)}
      to={{ facilityId: facility.id, userId, name }}
      chat={{ direct: { user_id: userId, name, title, avatar_url, is_member: true }, participant_count: 2 }}
    />
  );
}

interface FirstMessageToProps extends Omit<DirectPaneProps, 'userId'> {
  readonly chatId: string;
  readonly name: string;
  readonly to: DirectTarget;
  /** What the chat will say of whom it is with. */
  readonly chat: Pick<Chat, 'direct' | 'direct_role' | 'participant_count'>;
}

/** An empty chat with a person or an on-call role, and what waits to be its first messages. */
function FirstMessageTo({ facility, me, drawAct, chatId, name, to, chat: whom }: FirstMessageToProps) {
  const { unsent, uploads } = useChatRuntime();
  const outbox = useObservable(unsent).filter(({ lane }) => lane === chatId);
  const [openedAt] = useState(() => new Date().toISOString());
  if (!facility.permissions.includes('chats.create') && outbox.length === 0) {
    return (
      <NobodyThere facility={facility} title={name}>
        You can’t start chats here. Once they write to you, you can answer.
      </NobodyThere>
    );
  }
  const chat = chatToBe({ id: chatId, facility, name, whom, openedAt });
  const send: ChatView['send'] = async (body, { files = [] } = {}) => {
    // Before it is unsent work: without them it could never be sent.
    if (files.length > 0) await (await uploads()).keep(files);
    await unsent.add({
      clientId: uuidv7(),
      lane: chatId,
      payload: files.length > 0 ? { body: '', files: { body, list: files }, direct: to } : { body, direct: to },
      writtenAt: new Date().toISOString(),
    });
  };
  const items = timelineItems({ messages: [], participants: [], unsentChanges: [], myId: me.id, outbox });
  const chatView: ChatView = { ...NOTHING_YET, chat, items, send, retrySend: unsent.retry, discard: unsent.discard };
  return <ChatScreen {...{ chatView, chat, facility, me, drawAct, uploads }} />;
}

interface ChatToBe {
  readonly id: string;
  readonly facility: Facility;
  readonly name: string;
  readonly whom: FirstMessageToProps['chat'];
  readonly openedAt: string;
}

/** As its screen wants to know it; version 0 says that the server does not know it yet. */
function chatToBe({ id, facility, name, whom, openedAt }: ChatToBe): Chat {
  return {
    ...{ id, facility_id: facility.id, kind: 'direct', title: name, patient: null, state: 'open' },
    ...{ ...whom, head_seq: 0, version: 0, last_message: null },
    my: { access: 'write', delivered_seq: 0, read_seq: 0, unread: 0 },
    ...{ created_at: openedAt, updated_at: openedAt },
  };
}

const nothing = () => undefined;
const NOTHING_YET = {
  ...{ status: 'ready', error: null, hasOlder: false, isLoadingOlder: false, firstUnreadSeq: null },
  ...{ participants: [], present: [], typing: [], isFromDevice: false, quotes: new Map() },
  ...{ show: async () => undefined, change: async () => undefined, loadQuote: nothing },
  ...{ loadOlder: nothing, fillGap: nothing, markRead: nothing, noteTyping: nothing },
  ...{ refreshPeople: nothing, retry: nothing },
} as const satisfies Partial<ChatView>;

interface RolePaneProps {
  readonly facility: Facility;
  readonly roleId: string;
  readonly me: Person;
  readonly drawAct: DrawAct;
}

/** The chat with whoever holds an on-call role: leads to mine with it where there is one, else waits for the message that makes it. */
export function RolePane({ facility, roleId, me, drawAct }: RolePaneProps) {
  const list = useChats();
  const roles = useFacilityRoles(facility.id);
  const role = roles.data?.data.find(({ id }) => id === roleId);
  const known = list.items.find(({ chat: { direct_role } }) => direct_role?.role_id === roleId && !direct_role.person);
  usePageTitle(role?.name ?? 'Chat');
  if (known) {
    const params = { facilityId: facility.id, chatId: known.chat.id };
    return <Navigate to="/chat/f-{$facilityId}/c-{$chatId}" params={params} replace />;
  }
  return (
    <Pane name="chat" label={role ? `Chat: ${role.name}` : 'Chat'}>
      {list.status === 'loading' || roles.isPending ? (
        <ChatLoading facilityId={facility.id} />
      ) : roles.data === undefined ? (
        <ChatFailed facilityId={facility.id} error={formatFailure(roles.error)} onRetry={() => void roles.refetch()} />
      ) : role === undefined ? (
        <NobodyThere facility={facility} title="No one to write to here">
          There is no such on-call role in this facility any more.
        </NobodyThere>
      ) : role.now?.person.user_id === me.id ? (
        <NobodyThere facility={facility} title={role.name}>
          You are on call as this role yourself.
        </NobodyThere>
      ) : (
        <FirstMessageTo
          {...{ facility, me, drawAct, name: role.name }}
          // As the server names it (decision 075): what is kept here for the chat is the chat's before and after its first message.
          chatId={v5(`${me.id} ${roleId}`, facility.id)}
          to={{ facilityId: facility.id, roleId, name: role.name, path: rolePath(facility.id, roleId) }}
          chat={{
            direct_role: { role_id: roleId, name: role.name, person: null },
            participant_count: role.now ? 2 : 1,
          }}
        />
      )}
    </Pane>
  );
}
