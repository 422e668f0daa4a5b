import { correctHandover, type Handover } from '@wardline/contract/examinations/handovers.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { HandoverFrame, HandoverGone } from '#/features/handovers/core/handover-frame.tsx';
import { FORMAT_LABELS, STATE_LOOKS } from '#/features/handovers/core/handover-labels.ts';
import {
  useHandover,
  useHandoverChanges,
  useHandoverSuggestions,
  useKeepHandover,
} from '#/features/handovers/core/use-handover.ts';
import { beginCorrection, SheetDraft } from '#/features/handovers/writing/sheet-draft.ts';
import { SheetForm } from '#/features/handovers/writing/sheet-form.tsx';
import { useKept } from '#/features/handovers/writing/use-kept.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { isGone } from '#/shared/errors/is-gone.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { toLocalTime } from '#/shared/time/local-time.ts';
import { FilesMenu } from './files-menu.tsx';
import { HandoverActions } from './handover-actions.tsx';
import { EarlierVersions, SheetView } from './sheet-view.tsx';

const PrintView = lazyPart(async () => (await import('#/features/handovers/print/print-view.tsx')).PrintView, {
  onMissing: closeMissing,
});

interface HandoverPaneProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly handoverId: string;
  readonly myId: string;
  readonly chatPath: string;
}

/** A hand-over beside its chat: what was signed, by whom it was received, what is still to be done. */
export function HandoverPane({ chatId, handoverId, ...place }: HandoverPaneProps) {
  const { chatPath } = place;
  const { data, error, refetch } = useHandover(handoverId);
  useHandoverChanges(chatId);
  // Of another chat it is not here.
  if (isGone(error) || (data && data.chat_id !== chatId)) return <HandoverGone chatPath={chatPath} />;
  if (data) return <HandoverView handover={data} {...place} />;
  return (
    <HandoverFrame chatPath={chatPath} title="Hand-over">
      {error ? (
        <NotLoaded title="The hand-over did not load" error={error} onRetry={refetch} />
      ) : (
        <div className="hand-block">
          <Skeleton shape="fields" count={6} label="Loading the hand-over" />
        </div>
      )}
    </HandoverFrame>
  );
}

interface HandoverViewProps extends Omit<HandoverPaneProps, 'chatId' | 'handoverId'> {
  readonly handover: Handover;
}

function HandoverView({ handover, facility, myId, chatPath }: HandoverViewProps) {
  const { state, ended, versions, format } = handover;
  const kept = useKept(typedNames.sheet(handover.id), handover.chat_id, SheetDraft);
  const [wantsToCorrect, setWantsToCorrect] = useState(false);
  const [isPrinting, setIsPrinting] = useState(false);
  const isCorrecting = handover.my.can_correct && (wantsToCorrect || kept.value !== null);
  const [newest] = versions;
  const look = STATE_LOOKS[state];
  const zone = facility.time_zone;
  if (isPrinting && newest) {
    return (
      <HandoverFrame chatPath={chatPath} title="Hand-over">
        <div className="pane-scroll hand-print">
          <PrintView {...{ handover, facility }} version={newest} onClose={() => setIsPrinting(false)} />
        </div>
      </HandoverFrame>
    );
  }
  if (isCorrecting) {
    return (
      <Correction
        {...{ handover, facility, myId, chatPath, kept }}
        onClose={() => {
          kept.set(null);
          setWantsToCorrect(false);
        }}
      />
    );
  }
  return (
    <HandoverFrame
      chatPath={chatPath}
      title={`Hand-over: ${FORMAT_LABELS[format]}`}
      context={
        <>
          {handover.from} → {handover.to}
          {handover.role && `, ${handover.role}`}
        </>
      }
      actions={
        <>
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
          <FilesMenu handover={handover} onPrint={() => setIsPrinting(true)} />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is within reach of the keyboard */}
      <section className="pane-scroll hand" aria-label="Hand-over" tabIndex={0}>
        {ended && (
          <Banner isFlush tone={state === 'declined' ? 'error' : 'neutral'} announce="none" title={`${look.word}.`}>
            {ended.by.name}: {ended.reason}
          </Banner>
        )}
        {newest && <SheetView version={newest} {...{ handover, chatPath, zone }} />}
        <EarlierVersions versions={versions.slice(1)} {...{ handover, chatPath, zone }} />
      </section>
      <HandoverActions
        key={handover.sheet_version}
        {...{ handover, chatPath }}
        onCorrect={() => setWantsToCorrect(true)}
      />
    </HandoverFrame>
  );
}

interface CorrectionProps extends HandoverViewProps {
  readonly kept: ReturnType<typeof useKept<SheetDraft>>;
  readonly onClose: () => void;
}

/** The next version of a sheet, begun with the one that stands. */
function Correction({ handover, facility, myId, chatPath, kept, onClose }: CorrectionProps) {
  const call = useCall();
  const keep = useKeepHandover();
  const { data } = useHandoverSuggestions(handover.chat_id);
  const [standing] = handover.versions;
  const [begun, setBegun] = useState<SheetDraft | null>(null);
  if (begun === null && standing && data) {
    const toLocal = (at: string) => toLocalTime(Date.parse(at), facility.time_zone);
    const to = handover.state === 'declined' ? '' : `user:${standing.to.user_id}`;
    setBegun(beginCorrection(standing, { suggestions: data.suggestions, to, newId: uuidv7, toLocal }));
  }
  const draft = kept.value ?? begun;
  if (draft === null) {
    return (
      <HandoverFrame chatPath={chatPath} title="Correct hand-over">
        <div className="hand-block">
          <Skeleton shape="fields" count={6} label="Loading what stands in the chat" />
        </div>
      </HandoverFrame>
    );
  }
  return (
    <SheetForm
      {...{ facility, myId, chatPath, draft }}
      chatId={handover.chat_id}
      given={data ?? null}
      isKept={kept.value !== null}
      isCorrection
      onDraft={kept.set}
      onDiscard={onClose}
      onSign={async (body) => {
        const { id, version: expected_version } = handover;
        const reason = draft.reason.trim();
        keep(await call(correctHandover, { params: { handover: id }, body: { expected_version, reason, ...body } }));
        onClose();
      }}
    />
  );
}
