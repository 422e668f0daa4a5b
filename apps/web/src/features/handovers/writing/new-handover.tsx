import { useRouter } from '@tanstack/react-router';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { giveHandover } from '@wardline/contract/examinations/handovers.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useRef } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { HandoverFrame, HandoverGone } from '#/features/handovers/core/handover-frame.tsx';
import { useHandoverSuggestions, useKeepHandover } from '#/features/handovers/core/use-handover.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { isGone } from '#/shared/errors/is-gone.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { beginDraft, SheetDraft } from './sheet-draft.ts';
import { SheetForm } from './sheet-form.tsx';
import { useKept } from './use-kept.ts';

interface NewHandoverProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly myId: string;
  readonly chatPath: string;
}

/** A sheet that is being written: begun from what stands in the chat, or as this device kept it. */
export function NewHandover({ facility, chatId, myId, chatPath }: NewHandoverProps) {
  const { data, error, refetch } = useHandoverSuggestions(chatId);
  const kept = useKept(typedNames.sheet(chatId), chatId, SheetDraft);
  const call = useCall();
  const keep = useKeepHandover();
  const router = useRouter();
  /** For the dialog too, which is open since before. */
  const anew = useRef<string>(undefined);
  if (isGone(error)) return <HandoverGone chatPath={chatPath} />;
  // What was kept can be gone on with where the chat can't be asked.
  const draft = kept.value ?? (kept.isRead && data ? beginDraft(data.suggestions, uuidv7) : null);
  if (draft === null) {
    return (
      <HandoverFrame chatPath={chatPath} title="Hand over">
        {error ? (
          <NotLoaded title="The chat did not load" error={error} onRetry={refetch} />
        ) : (
          <div className="hand-block">
            <Skeleton shape="fields" count={6} label="Loading what stands in the chat" />
          </div>
        )}
      </HandoverFrame>
    );
  }
  return (
    <SheetForm
      {...{ facility, chatId, myId, chatPath, draft }}
      given={data ?? null}
      isKept={kept.value !== null}
      onDraft={kept.set}
      onDiscard={() => kept.set(null)}
      onSign={async (body) => {
        const made = await call(giveHandover, {
          params: { chat: chatId },
          body: { client_id: anew.current ?? draft.clientId, ...body },
        }).catch((refusal: unknown) => {
          // What was given before stands in the chat; this one is another.
          if (refusal instanceof ApiError && refusal.code === 'client_id_reused') {
            anew.current = uuidv7();
            kept.set({ ...draft, clientId: anew.current });
          }
          throw refusal;
        });
        keep(made);
        kept.set(null);
        await router.navigate({ to: `${chatPath}/h-${made.id}` });
      }}
    />
  );
}
