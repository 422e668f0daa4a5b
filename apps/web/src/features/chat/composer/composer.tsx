import { ATTACHMENTS_MAX } from '@wardline/contract/chat/attachments.ts';
import { CITATIONS_MAX, MESSAGE_BODY_MAX, type Mention } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { GrowingTextarea } from '@wardline/ui/input/growing-textarea.tsx';
import { Paperclip, SendHorizontal } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { isEnter } from '#/features/chat/core/is-enter.ts';
import type { DraftStore } from '#/features/chat/drafts/draft-store.ts';
import type { MentionListProps } from '#/features/chat/mentions/mention-list.tsx';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ComposerCount } from './composer-count.tsx';
import { markOf, markSelection } from './mark-selection.ts';

const MentionList = lazyPart(async () => (await import('#/features/chat/mentions/mention-list.tsx')).MentionList);

const AttachMenu = lazyMenu(async () => (await import('#/features/chat/attachments/attach-menu.tsx')).AttachMenu);
const loadTray = () => import('#/features/chat/attachments/file-tray.tsx');
const FileTray = lazyPart(async () => (await loadTray()).FileTray, {
  whileLoading: () => <div className="file-tray" />,
});

const FileDrops = lazyPart(async () => (await loadTray()).FileDrops);

const CitationTray = lazyPart(async () => (await import('#/features/chat/citations/citation-tray.tsx')).CitationTray);

const DraftOffer = lazyPart(async () => (await import('#/features/chat/drafts/draft-offer.tsx')).DraftOffer);

const counterFrom = MESSAGE_BODY_MAX - 500;

export interface ComposerProps {
  readonly chatId: string;
  readonly drafts: DraftStore;
  /** Why nothing can be written here; null where it can. */
  readonly readOnlyReason: string | null;
  /** Beside that reason: what can be done about it. */
  readonly wayBack?: ReactNode;
  /** Who can be called by an '@'; nobody where that makes no sense. */
  readonly mentionable?: Pick<MentionListProps, 'chat' | 'people' | 'myId' | 'mayCallAll'> | null;
  /** Begins to upload files for what is written here. */
  readonly onAttach: (files: readonly File[]) => Promise<readonly FileRef[]>;
  /** Resolves once text and files are on the device; rejects when this device could not keep them. */
  readonly onSend: (
    body: string,
    mentions: readonly Mention[],
    files: readonly FileRef[],
    citations?: readonly Citation[],
  ) => Promise<void>;
  readonly onTyping: () => void;
  /** Null where the text may go at once; else asks first. */
  readonly askBefore?: (body: string) => Promise<boolean> | null;
  /** Beside the way to send it. */
  readonly tools?: ReactNode;
  /** What the text answers, over the box. */
  readonly reply?: { readonly key: string; readonly bar: ReactNode; readonly onCancel: () => void } | null;
}

/** The box one writes in. Its text belongs to one chat; give it the chat's id as `key`. */
export function Composer({ chatId, drafts, readOnlyReason, onAttach, onSend, onTyping, ...given }: ComposerProps) {
  const { reply = null, mentionable = null, askBefore, tools, wayBack } = given;
  const [text, change] = useDraft(chatId, drafts);
  const [error, setError] = useState<string | null>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const removal = useRef<HTMLButtonElement>(null);
  const isAsked = useRef(false);
  const body = text.trim();
  const isTooLong = body.length > MESSAGE_BODY_MAX;
  const tray = useFiles({ chatId, drafts, onAttach, setError });
  const { attach, isBlocked } = tray;
  const files = tray.kept.list;
  const cited = useKept(`citations/${chatId}`, drafts, findingOf, CITATIONS_MAX);
  const citations = cited.list;
  const [offered] = useDraft(`offer/${chatId}`, drafts);
  const maySend = (body !== '' || files.length > 0) && !isTooLong && !isBlocked;

  useFocusWithKeyboard(textarea);
  useFocusForReply(textarea, reply?.key);
  useFocusForReply(textarea, cited.text || undefined);
  if (readOnlyReason !== null) {
    return (
      <ClosedComposer reason={readOnlyReason}>
        <FileDrops />
        {wayBack}
      </ClosedComposer>
    );
  }

  // Kept with the draft: who was chosen is known by more than the name that stands in it.
  const chosenName = `mentions/${chatId}`;
  const chosen = (): Mention[] => JSON.parse(drafts.read(chosenName) || '[]');
  const chosenIn = (written: string) => chosen().filter(({ name }) => written.includes(`@${name}`));
  const onPick = (next: string, mention: Mention) => {
    change(next);
    const others = chosenIn(next).filter(({ id }) => id !== mention.id);
    drafts.write(chosenName, JSON.stringify([...others, mention]));
  };
  const send = () => {
    if (isBlocked) return removal.current?.focus();
    if (!maySend || isAsked.current) return;
    // As they were chosen when it was pressed, whatever becomes of the box while a question is open.
    const mentions = body.includes('@') ? chosenIn(body) : [];
    const asked = askBefore?.(body);
    if (!asked) return sendNow(mentions);
    isAsked.current = true;
    void asked
      .then((goes) => goes && sendNow(mentions))
      .finally(() => {
        isAsked.current = false;
      });
  };
  const sendNow = (mentions: readonly Mention[]) => {
    setError(null);
    // What was typed on or added while a question was open is not sent with it, and stays.
    const isTypedOn = drafts.read(chatId) !== text;
    if (!isTypedOn) change('');
    const sent = tray.kept.take();
    const cites = cited.take();
    textarea.current?.focus();
    onSend(body, mentions, sent, ...(cites[0] ? [cites] : [])).catch((error) => {
      // What could not be kept goes back to where it was written, before anything typed since.
      const since = drafts.read(chatId);
      if (!isTypedOn || !since.includes(body)) change([body, since].filter(Boolean).join('\n'));
      tray.kept.putBack();
      cited.putBack();
      setError(`Not sent. ${error instanceof Error ? error.message : ''} Your text is still here.`);
    });
  };

  return (
    <form
      className="composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        // React brings the submit of a form in a dialog of the tools here, too.
        if (event.target === event.currentTarget) send();
      }}
    >
      {mentionable && text.includes('@') && <MentionList {...{ ...mentionable, textarea, text, onPick }} />}
      <FileDrops onFiles={attach} />
      {offered && <DraftOffer {...{ chatId, drafts }} />}
      {reply?.bar}
      {files.length > 0 && (
        <FileTray {...{ chatId, files, removal }} onChange={tray.kept.set} onBlocked={tray.setIsBlocked} />
      )}
      {citations[0] && <CitationTray citations={citations} onChange={cited.set} />}
      <GrowingTextarea
        ref={textarea}
        label="Message"
        dir="auto"
        placeholder="Type your message here…"
        enterKeyHint="send"
        autoComplete="off"
        value={text}
        aria-invalid={isTooLong || undefined}
        onChange={(event) => {
          change(event.target.value);
          if (event.target.value !== '') onTyping();
        }}
        onPaste={(event) => {
          const { files: pasted, types } = event.clipboardData;
          // What is copied from a table or a document brings its picture beside its text.
          if (pasted.length === 0 || types.includes('text/plain')) return;
          event.preventDefault();
          attach([...pasted]);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') reply?.onCancel();
          const mark = markOf(event);
          if (mark !== null) {
            event.preventDefault();
            markSelection(event.currentTarget, mark);
          }
          if (!isEnter(event)) return;
          event.preventDefault();
          send();
        }}
      />
      {error && (
        <p className="composer-trouble" role="alert">
          {error}
        </p>
      )}
      <div className="composer-tools">
        <AttachMenu
          onFiles={attach}
          trigger={<Button variant="ghost" color="neutral" iconOnly icon={Paperclip} label="Attach files" />}
        />
        {tools}
        {body.length >= counterFrom && <ComposerCount length={body.length} />}
        <span className="composer-hint only-desk">Enter sends, Shift + Enter for a new line</span>
      </div>
      <Button
        className="composer-send"
        type="submit"
        iconOnly
        icon={SendHorizontal}
        label="Send prompt"
        disabled={!maySend && !isBlocked}
      />
    </form>
  );
}

function ClosedComposer({ reason, children }: { readonly reason: string; readonly children: ReactNode }) {
  return (
    <div className="composer composer-closed" role="note">
      <p>{reason}</p>
      {children}
    </div>
  );
}

/** The text of a chat's box, kept while it is written; what takes it elsewhere empties the box. */
function useDraft(chatId: string, drafts: DraftStore) {
  const read = () => drafts.read(chatId);
  const text = useSyncExternalStore(drafts.writes.subscribe, read, read);
  return [text, (next: string) => drafts.write(chatId, next)] as const;
}

/**
 * A pointer that is precise has a keyboard beside it; on touch the keyboard would cover the chat. A value that somebody enters
 * beside a chat that comes later does not go on in a message.
 */
function useFocusWithKeyboard(textarea: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (globalThis.matchMedia?.('(pointer: fine)').matches && !document.querySelector('[data-field] :focus'))
      textarea.current?.focus({ preventScroll: true });
  }, [textarea]);
}

/** Who chose to answer a message goes on to write. */
function useFocusForReply(textarea: RefObject<HTMLTextAreaElement | null>, key: string | undefined): void {
  useEffect(() => {
    if (key !== undefined) textarea.current?.focus();
  }, [textarea, key]);
}

/** What goes beside the text, kept with it, at most so much with one message; `keyOf` says which two are the same. */
function useKept<T>(name: string, drafts: DraftStore, keyOf: (one: T) => string, max: number) {
  const [text, keep] = useDraft(name, drafts);
  const list = useMemo<readonly T[]>(() => JSON.parse(text || '[]'), [text]);
  const going = list.slice(0, max);
  /** As they are now, also after a question that took a while. */
  const now = (): readonly T[] => JSON.parse(drafts.read(name) || '[]');
  const set = (next: readonly T[]) => keep(next[0] ? JSON.stringify(next) : '');
  return {
    text,
    list,
    set,
    add: (added: readonly T[]) => set([...now(), ...added]),
    /** What is sent leaves, and what was added or changed since stays. */
    take: () => {
      set(without(now(), going, JSON.stringify));
      return going;
    },
    /** What could not be sent comes back before what was added since, and takes the place of nothing. */
    putBack: () => set([...without(going, now(), keyOf), ...now()]),
  };
}

function without<T>(list: readonly T[], gone: readonly T[], keyOf: (one: T) => string): T[] {
  const keys = gone.map(keyOf);
  return list.filter((one) => !keys.includes(keyOf(one)));
}

const findingOf = ({ examination_id, field }: Citation): string => `${examination_id} ${field}`;

interface FilesDeps extends Pick<ComposerProps, 'chatId' | 'drafts' | 'onAttach'> {
  readonly setError: (error: string | null) => void;
}

/** The files that go with what is written, kept with it in this tab. */
function useFiles({ chatId, drafts, onAttach, setError }: FilesDeps) {
  const kept = useKept<FileRef>(`files/${chatId}`, drafts, ({ id }) => id, ATTACHMENTS_MAX);
  const [isRefused, setIsBlocked] = useState(false);
  const attach = (chosen: readonly File[]) => {
    const room = Math.max(0, ATTACHMENTS_MAX - kept.list.length);
    setError(chosen.length > room ? `At most ${ATTACHMENTS_MAX} files go with one message.` : null);
    onAttach(chosen.slice(0, room)).then(kept.add, () =>
      setError('These files could not be attached. Check your connection and try again.'),
    );
  };
  return { kept, attach, isBlocked: isRefused && kept.list.length > 0, setIsBlocked };
}
