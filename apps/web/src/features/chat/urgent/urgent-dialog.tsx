import { type Chat, MESSAGE_BODY_MAX, type Participant, URGENT_PEOPLE_MAX } from '@wardline/contract/chat/chat.ts';
import { getUrgentLadder, type UrgentLadder } from '@wardline/contract/chat/urgent-acts.ts';
import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { OctagonAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { v7 as uuidv7 } from 'uuid';
import type { Person, UrgentPayload } from '#/features/chat/core/chat-view.ts';
import { PickerRow } from '#/features/chat/new-chat/picker.tsx';
import { rolePath } from '#/features/chat/roles/role-path.ts';
import { useFacilityRoles } from '#/features/chat/roles/use-roles.ts';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import { useConnection } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { PresenceMark } from '#/shared/presence/presence-mark.tsx';
import { usePresences } from '#/shared/presence/use-presences.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { isOffDuty, RoleInstead } from './role-instead.tsx';
import { ladderLines } from './urgent-labels.ts';
import { TemplateFields, toBody, useTemplate } from './urgent-template.tsx';
import './urgent-dialog.css';

export interface UrgentDialogProps {
  readonly chat: Chat;
  readonly timeZone: string;
  readonly me: Person;
  readonly participants: readonly Participant[];
  /** What stands in the box one writes in. */
  readonly text: string;
  /** It is in the outbox now. */
  readonly onSent: () => void;
  readonly onClose: () => void;
}

const NOBODY = 'none';

interface Missing {
  readonly body?: string;
  readonly who?: string;
}

/** What must be said before anybody is called. */
function whatIsMissing({ isForNobody, body }: { readonly isForNobody: boolean; readonly body: string }): Missing {
  return {
    ...(body === '' && { body: 'Write what is asked.' }),
    ...(body.length > MESSAGE_BODY_MAX && { body: 'This is too long for one message.' }),
    ...(isForNobody && { who: 'Choose who must acknowledge it.' }),
  };
}

/** Asks who must come and what for, shows who will be called, and puts the message into the outbox. */
export function UrgentDialog({ chat, timeZone, me, participants, text, onSent, onClose }: UrgentDialogProps) {
  const { unsent } = useChatRuntime();
  const { isOnline } = useConnection();
  const formId = useId();
  const template = useTemplate(chat, text);
  const { direct } = chat;
  // A chat that its first message is to make has no participants yet.
  const isToBe = chat.version === 0;
  const others = isToBe && direct ? [direct] : participants.filter(({ user_id }) => user_id !== me.id);
  // Whoever holds a role is called in a chat with one.
  const toRole = chat.direct_role && !chat.direct_role.person ? chat.direct_role : null;
  const isDirect = chat.kind === 'direct' && !chat.direct_role;
  const [people, setPeople] = useState<readonly string[]>(isDirect ? others.map(({ user_id }) => user_id) : []);
  const [roleId, setRoleId] = useState(toRole?.role_id ?? NOBODY);
  const [nextId, setNextId] = useState(NOBODY);
  const [isBusy, setIsBusy] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const whoErrorId = useId();
  const presences = usePresences(
    chat.facility_id,
    others.map(({ user_id }) => user_id),
  );
  const offDuty = others.filter(({ user_id }) => people.includes(user_id) && isOffDuty(presences.get(user_id)));
  const roles = useFacilityRoles(chat.facility_id, !isDirect).data?.data ?? [];
  const ladder = useLadder(chat);
  const body = toBody(template.value);
  const missing = whatIsMissing({ isForNobody: people.length === 0 && roleId === NOBODY, body });
  const errors = isPressed ? missing : {};

  const submit = async () => {
    flushSync(() => setIsPressed(true));
    if (Object.keys(missing).length > 0) return showFirstError(form.current);
    setIsBusy(true);
    const urgent = toPayload({ body, people, roleId, nextId });
    try {
      await unsent.add({
        clientId: uuidv7(),
        lane: chat.id,
        payload: {
          ...{ body: '', urgent },
          ...(isToBe && {
            direct: toRole
              ? {
                  ...{ facilityId: chat.facility_id, roleId: toRole.role_id, name: toRole.name },
                  path: rolePath(chat.facility_id, toRole.role_id),
                }
              : { facilityId: chat.facility_id, userId: direct?.user_id ?? '', name: direct?.name ?? '' },
          }),
        },
        writtenAt: new Date().toISOString(),
      });
      onSent();
      onClose();
    } catch (error) {
      flushSync(() => setFailure(error instanceof Error ? error.message : 'Try again.'));
      showFirstError(form.current);
      setIsBusy(false);
    }
  };
  const toggle = (userId: string) =>
    setPeople((chosen) => (chosen.includes(userId) ? chosen.filter((id) => id !== userId) : [...chosen, userId]));
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(isWanted) => !isWanted && onClose()}
      title="Urgent message"
      description="It calls until somebody acknowledges it, and closes when somebody says what was done."
      closesOutside={body === ''}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} color="error" icon={OctagonAlert} isLoading={isBusy}>
            Send and call
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        className="stack stack-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {failure && <Banner tone="error">{failure}</Banner>}
        {!isOnline && (
          <Banner tone="warning">
            You’re offline. Nobody is called until this is sent. If it can’t wait, call by telephone.
          </Banner>
        )}
        <TemplateFields {...template} error={errors.body} />
        <fieldset className="urgent-who" aria-describedby={errors.who && whoErrorId} data-invalid={errors.who && ''}>
          <legend className="label">Who must acknowledge it</legend>
          {errors.who && (
            <p id={whoErrorId} className="c-error t13" role="alert">
              {errors.who}
            </p>
          )}
          {!isDirect && <RoleSelect label="On call" {...{ roles }} value={roleId} onChange={setRoleId} />}
          <ul className="people-list">
            {others.map(({ user_id, name, title, avatar_url }) => (
              <PickerRow
                key={user_id}
                leading={<PersonAvatar name={name} url={avatar_url ?? null} />}
                name={name}
                about={
                  <>
                    {title}
                    {title && presences.has(user_id) && ' · '}
                    <PresenceMark presence={presences.get(user_id)} zone={timeZone} />
                  </>
                }
                isChosen={people.includes(user_id)}
                isDisabled={isDirect || (people.length >= URGENT_PEOPLE_MAX && !people.includes(user_id))}
                onToggle={() => toggle(user_id)}
              />
            ))}
          </ul>
          {offDuty.map((person) => (
            <RoleInstead
              key={person.user_id}
              {...{ chat, person }}
              onChoose={(role) => {
                setRoleId(role);
                toggle(person.user_id);
              }}
            />
          ))}
        </fieldset>
        {!isDirect && (
          <RoleSelect label="If nobody answers, call next" {...{ roles }} value={nextId} onChange={setNextId} />
        )}
        <LadderPreview {...{ ladder, isDirect }} next={roles.find(({ id }) => id === nextId)?.name ?? null} />
      </form>
    </Dialog>
  );
}

interface Chosen {
  readonly body: string;
  readonly people: readonly string[];
  readonly roleId: string;
  readonly nextId: string;
}

function toPayload({ body, people, roleId, nextId }: Chosen): UrgentPayload {
  const targets = { people: [...people], role_id: roleId === NOBODY ? null : roleId };
  const next = nextId === NOBODY ? {} : { next: { people: [], role_id: nextId } };
  return { body, asked: { targets, ...next } };
}

interface RoleSelectProps {
  readonly label: string;
  readonly roles: readonly OnCallRole[];
  readonly value: string;
  readonly onChange: (roleId: string) => void;
}

/** The on-call roles with who holds each now. Nothing where the facility has none, or they cannot be had. */
function RoleSelect({ label, roles, value, onChange }: RoleSelectProps) {
  if (roles.length === 0) return null;
  const options = roles.map(({ id, name, now }) => ({
    value: id,
    label: now ? `${name}: ${now.person.name}` : `${name}: nobody now`,
  }));
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: NOBODY, label: 'No role' }, ...options]}
      onValueChange={onChange}
    />
  );
}

interface LadderPreviewProps {
  readonly ladder: UrgentLadder | undefined;
  readonly isDirect: boolean;
  readonly next: string | null;
}

/** Who is called when, before it is sent. */
function LadderPreview({ ladder, isDirect, next }: LadderPreviewProps) {
  if (!ladder) return null;
  const { steps, fallback } = ladder;
  const asNext = next === null ? null : { people: [], role: { id: '', name: next } };
  const holder = fallback?.holder ? ` (${fallback.holder.name})` : '';
  const lines = isDirect
    ? steps.map(({ after_min }) => `After ${after_min} min: again`)
    : ladderLines(steps, { next: asNext, fallback: fallback ? `${fallback.name}${holder}` : 'everyone in this chat' });
  return (
    <section className="urgent-ladder" aria-label="Who is called">
      <h3>Who is called until somebody acknowledges it</h3>
      <ol>
        <li>At once: who you choose</li>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>After that you are told that nobody is left</li>
      </ol>
    </section>
  );
}

function useLadder({ facility_id: facility }: Chat): UrgentLadder | undefined {
  const call = useCall();
  const { data } = useQuery({
    queryKey: ['urgent-ladder', facility],
    queryFn: ({ signal }) => call(getUrgentLadder, { params: { facility }, signal }),
  });
  return data;
}
