import { createFileRoute, Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { requireIds } from '#/app/router/guards.ts';
import { meAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { ChatListPane, ChatPanes, ChatPictures, CiteItem, UrgentOffer, usePatientOf } from '#/features/chat/index.ts';
import { ExaminationDetail } from '#/features/examinations/index.ts';
import { useFacility } from '#/features/facilities/index.ts';
import { HandoverDetail } from '#/features/handovers/index.ts';

export const Route = createFileRoute('/_in/chat/f-{$facilityId}')({
  beforeLoad: ({ params }) => requireIds(params.facilityId),
  component: FacilityPage,
});

/** List beside chat. The list stays mounted from chat to chat, and with it its place. */
function FacilityPage() {
  const { facilityId } = Route.useParams();
  const { chatId = null, userId, roleId, examinationId = null, handoverId } = useParams({ strict: false });
  const showsAll = useLocation({ select: ({ pathname }) => pathname.endsWith('/examinations') });
  const linked = useLocation({
    select: ({ hash, state }) => (hash === '' ? null : { field: hash, visit: state.__TSR_key ?? '' }),
    structuralSharing: true,
  });
  const facility = useFacility(facilityId);
  const me = meAt(useUser(), facilityId);
  const patient = usePatientOf(chatId);
  if (!facility) return <Navigate to="/403" replace />;
  return (
    <ChatPanes
      facility={facility}
      openChatId={chatId}
      isChatOpen={(userId ?? roleId) !== undefined}
      me={me}
      list={<ChatListPane key={facilityId} facility={facility} me={me} openChatId={chatId} />}
      chat={<Outlet />}
      {...(chatId !== null && handoverId !== undefined
        ? { detail: <HandoverDetail {...{ facility, chatId, handoverId }} myId={me.id} /> }
        : {})}
      {...(chatId !== null && (examinationId !== null || showsAll)
        ? {
            detail: (
              <ExaminationDetail
                {...{ facility, chatId, examinationId, linked, me, patient }}
                pictures={(offer) => <ChatPictures {...offer} chatId={chatId} />}
                cite={(offer) => <CiteItem {...offer} chatId={chatId} myId={me.id} />}
                urgent={(offer) => <UrgentOffer {...offer} {...{ chatId, me }} timeZone={facility.time_zone} />}
              />
            ),
          }
        : {})}
    />
  );
}
