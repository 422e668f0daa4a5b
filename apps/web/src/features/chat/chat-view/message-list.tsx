import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { DayDivider, NewDivider } from '@wardline/ui/chat/dividers.tsx';
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import { dayLabel } from '#/features/chat/core/day-label.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import type { PendingActions } from '#/features/chat/message-acts/unsent-actions.tsx';
import { sayPartMissing } from '#/shared/lazy/show-load-error.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { announcementAfter, newestSeq } from './announcement.ts';
import type { TimelineRow } from './group-rows.ts';
import { type DrawAct, MessageRow, NoteRow, PendingRow } from './message-row.tsx';
import type { ReadWatch } from './read-watch.ts';
import type { ChatScroll } from './use-chat-scroll.ts';

/** What a screen reader says when others write; by the seq of its last message, so that the same words twice are said twice. */
function useAnnouncement(rows: readonly TimelineRow[]): { readonly seq: number; readonly text: string } {
  const [said, setSaid] = useState({ seq: 0, text: '' });
  const announcedSeq = useRef<number | null>(null);
  useEffect(() => {
    const newest = newestSeq(rows);
    if (newest === null) return;
    const before = announcedSeq.current;
    announcedSeq.current = Math.max(before ?? 0, newest);
    const text = before === null ? null : announcementAfter(rows, before);
    if (text !== null) setSaid({ seq: newest, text });
  }, [rows]);
  return said;
}

interface MessageListProps {
  readonly chatView: ChatView;
  readonly rows: readonly TimelineRow[];
  readonly scroll: ChatScroll;
  readonly me: Person;
  readonly facility: Facility;
  readonly now: number;
  readonly pendingActions: PendingActions;
  readonly acts: MessageActs;
  /** Where somebody was led to. */
  readonly shownSeq: number | null;
  readonly drawAct: DrawAct;
  /** Somebody wants to go from this day to another. */
  readonly onGo: (day: string) => void;
}

/** The rows of a chat; only those near the window exist. */
export function MessageList(props: MessageListProps) {
  const { chatView, rows, scroll, me, facility, now, pendingActions, acts, shownSeq, drawAct, onGo } = props;
  const timeZone = facility.time_zone;
  const peopleOf = chatView.chat?.direct ? null : facility;
  const { box, virtualizer } = scroll;
  const readSeq = chatView.chat?.my.read_seq ?? 0;
  const watch = useReadWatch(box, chatView.markRead);
  const announcement = useAnnouncement(rows);
  const visible = virtualizer.getVirtualItems();
  // The router gives a box back the pixels it had, or those of the chat before. Here a message counts, so it never
  // finds the same box again.
  const [ownScroll] = useState(() => `chat-view-${Math.random()}`);
  const isNearTop = (visible[0]?.index ?? 0) < 3;
  const oldestKey = rows[0]?.key;
  const lastInView = rows.slice(0, (virtualizer.range?.endIndex ?? 0) + 1).findLast((row) => row.kind === 'message');

  const { hasOlder, loadOlder } = chatView;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the top is reached with a new oldest row, once
  useEffect(() => {
    if (isNearTop && hasOlder && oldestKey !== undefined) loadOlder();
  }, [isNearTop, hasOlder, oldestKey]);

  const draw = (row: TimelineRow): ReactNode => {
    switch (row.kind) {
      case 'day':
        return (
          <DayDivider dateTime={row.day} onGo={() => onGo(row.day)}>
            {dayLabel(row.day, dayIn(timeZone, now))}
          </DayDivider>
        );
      case 'new':
        return <NewDivider />;
      case 'gap':
        return <GapRow afterSeq={row.afterSeq} beforeSeq={row.beforeSeq} onSeen={chatView.fillGap} />;
      case 'note':
        return (
          <NoteRow
            {...{ ...row, facility, drawAct }}
            isOwn={row.message.sender.id === me.id}
            isShown={row.message.seq === shownSeq}
          />
        );
      case 'message':
        return (
          <MessageRow
            {...row}
            {...{ acts, timeZone, peopleOf }}
            isTimeInTabOrder={row === lastInView}
            isShown={row.message.seq === shownSeq}
          />
        );
      case 'pending':
        return <PendingRow {...row} {...{ me, timeZone, acts }} {...pendingActions} />;
    }
  };

  return (
    <>
      <ChatTop {...{ rows, onGo }} start={virtualizer.range?.startIndex ?? 0} isLoading={chatView.isLoadingOlder}>
        {(day) => dayLabel(day, dayIn(timeZone, now))}
      </ChatTop>
      {/* A virtual list adds rows while one scrolls; only what is new is announced, by the line below it. */}
      <div
        className="pane-scroll chat-view"
        ref={box}
        role="log"
        aria-label="Messages"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll box has to be reached by keyboard
        tabIndex={0}
        data-scroll-restoration-id={ownScroll}
        onKeyDown={walkTimes}
      >
        <ol className="chat-view-rows" style={{ height: virtualizer.getTotalSize() }}>
          {visible.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <Spot
                  key={item.key}
                  index={item.index}
                  start={item.start}
                  measure={virtualizer.measureElement}
                  watch={watch}
                  unreadSeq={unreadSeq(row, readSeq)}
                >
                  {draw(row)}
                </Spot>
              )
            );
          })}
        </ol>
      </div>
      <p className="sr" role="status" aria-live="polite">
        <span key={announcement.seq}>{announcement.text}</span>
      </p>
    </>
  );
}

/**
 * From a time, arrow keys go to that of the message before or after, or the day between them, and to the sender's name and back;
 * one of the times alone is a stop of the Tab key.
 */
function walkTimes(event: KeyboardEvent<HTMLElement>): void {
  const beside = { ArrowLeft: '.person-link', ArrowRight: '.m-when' }[event.key];
  if (beside !== undefined && event.target instanceof HTMLElement && event.target.matches('.m-when, .person-link')) {
    event.target.closest('.m')?.querySelector<HTMLElement>(beside)?.focus();
    return;
  }
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const times = [...event.currentTarget.querySelectorAll<HTMLElement>('.m-when, .day-go')];
  const place = event.target instanceof HTMLElement ? times.indexOf(event.target) : -1;
  if (step === undefined || place < 0) return;
  event.preventDefault();
  times[place + step]?.focus();
}

interface ChatTopProps {
  readonly rows: readonly TimelineRow[];
  /** The first row in view. */
  readonly start: number;
  readonly isLoading: boolean;
  readonly onGo: (day: string) => void;
  readonly children: (day: string) => string;
}

/** The day that is read now, in a line of its own over the messages; where its divider is in view, that says it. */
function ChatTop({ rows, start, isLoading, onGo, children }: ChatTopProps) {
  const day = rows[start]?.kind === 'day' ? undefined : rows.slice(0, start).findLast((row) => row.kind === 'day');
  return (
    <div className="chat-top">
      {isLoading ? (
        <p className="older">Loading older messages</p>
      ) : (
        day?.kind === 'day' && (
          <button type="button" className="older" title="Go to date" onClick={() => onGo(day.day)}>
            <time dateTime={day.day}>{children(day.day)}</time>
          </button>
        )
      )}
    </div>
  );
}

interface SpotProps {
  readonly index: number;
  readonly start: number;
  readonly measure: (element: HTMLLIElement | null) => void;
  readonly watch: ReadWatch | null;
  readonly unreadSeq: number | null;
  readonly children: ReactNode;
}

function Spot({ index, start, measure, watch, unreadSeq, children }: SpotProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!watch || unreadSeq === null || !element.current) return;
    return watch.watch(element.current, unreadSeq);
  }, [watch, unreadSeq]);
  // The same for each drawing: another would have the row measured again, which lays out the page.
  const take = useCallback(
    (node: HTMLLIElement | null) => {
      element.current = node;
      measure(node);
    },
    [measure],
  );
  return (
    <li className="chat-view-row" data-index={index} style={{ transform: `translateY(${start}px)` }} ref={take}>
      {children}
    </li>
  );
}

function unreadSeq(row: TimelineRow, readSeq: number): number | null {
  if (row.kind !== 'message' && row.kind !== 'note') return null;
  return row.message.seq > readSeq ? row.message.seq : null;
}

function useReadWatch(box: RefObject<Element | null>, markRead: (seq: number) => void): ReadWatch | null {
  const [watch, setWatch] = useState<ReadWatch | null>(null);
  const onRead = useRef(markRead);
  useEffect(() => {
    onRead.current = markRead;
  }, [markRead]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let made: ReadWatch | null = null;
    let isHere = true;
    // Nobody has read anything before it is drawn. Without it nothing is marked as read, which is said.
    import('./read-watch.ts').then(
      ({ createReadWatch }) => {
        if (!isHere) return;
        made = createReadWatch(element, (seq) => onRead.current(seq));
        setWatch(made);
      },
      () => isHere && sayPartMissing(),
    );
    return () => {
      isHere = false;
      made?.stop();
    };
  }, [box]);
  return watch;
}

interface GapRowProps {
  readonly afterSeq: number;
  readonly beforeSeq: number;
  readonly onSeen: (beforeSeq: number) => void;
}

/** Messages that are not on this device yet. They are fetched when the row comes into view; the button asks again. */
function GapRow({ afterSeq, beforeSeq, onSeen }: GapRowProps) {
  const count = beforeSeq - afterSeq - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each gap
  useEffect(() => onSeen(beforeSeq), [beforeSeq]);
  return (
    <div className="gap-row">
      <span>{counted(count, 'message is', 'messages are')} not on this device yet.</span>
      <Button variant="link" size="sm" onClick={() => onSeen(beforeSeq)}>
        Load now
      </Button>
    </div>
  );
}
