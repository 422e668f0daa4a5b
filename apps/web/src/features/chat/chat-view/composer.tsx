import { MESSAGE_BODY_MAX, type Mention } from '@wardline/contract/chat.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { GrowingTextarea } from '@wardline/ui/input/growing-textarea.tsx';
import { SendHorizontal } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { MentionListProps } from '#/features/chat/mentions/mention-list.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import type { DraftStore } from './draft-store.ts';
import { markOf, markSelection } from './mark-selection.ts';

const MentionList = lazyPart(async () => (await import('#/features/chat/mentions/mention-list.tsx')).MentionList);

const counterFrom = MESSAGE_BODY_MAX - 500;

export interface ComposerProps {
  readonly chatId: string;
  readonly drafts: DraftStore;
  /** Why nothing can be written here; null where it can. */
  readonly readOnlyReason: string | null;
  /** Who can be called by an '@'; nobody where that makes no sense. */
  readonly mentionable?: Pick<MentionListProps, 'people' | 'myId' | 'mayCallAll'> | null;
  /** Resolves once the text is on the device; rejects when this device could not keep it. */
  readonly onSend: (body: string, mentions: readonly Mention[]) => Promise<void>;
  readonly onTyping: () => void;
  /** Null where the text may go at once; else asks first. */
  readonly askBefore?: (body: string) => Promise<boolean> | null;
  /** Beside the way to send it. */
  readonly tools?: ReactNode;
  /** What the text answers, over the box. */
  readonly reply?: { readonly key: string; readonly bar: ReactNode; readonly onCancel: () => void } | null;
}

/** The box one writes in. Its text belongs to one chat; give it the chat's id as `key`. */
export function Composer({ chatId, drafts, readOnlyReason, onSend, onTyping, ...given }: ComposerProps) {
  const { reply = null, mentionable = null, askBefore, tools } = given;
  const [text, change] = useDraft(chatId, drafts);
  const [error, setError] = useState<string | null>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const body = text.trim();
  const isTooLong = body.length > MESSAGE_BODY_MAX;
  const maySend = body !== '' && !isTooLong;

  useFocusWithKeyboard(textarea);
  useFocusForReply(textarea, reply?.key);
  const refuseFiles = () => setError('Pictures and files can’t be sent yet. Your text is still here.');
  useRefusedDrops(refuseFiles);

  if (readOnlyReason !== null) return <ClosedComposer reason={readOnlyReason} />;

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
    if (!maySend) return;
    const asked = askBefore?.(body);
    if (!asked) return sendNow();
    void asked.then((goes) => goes && sendNow());
  };
  const sendNow = () => {
    setError(null);
    change('');
    textarea.current?.focus();
    onSend(body, body.includes('@') ? chosenIn(body) : []).catch((error) => {
      // What could not be kept goes back to where it was written, before anything typed since.
      change([body, drafts.read(chatId)].filter(Boolean).join('\n'));
      setError(`Not sent. ${error instanceof Error ? error.message : ''} Your text is still here.`);
    });
  };

  return (
    <form
      className="composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {mentionable && text.includes('@') && <MentionList {...{ ...mentionable, textarea, text, onPick }} />}
      {reply?.bar}
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
        onPaste={({ clipboardData: { files, types } }) => {
          // What is copied from a table or a document brings its picture beside its text.
          if (files.length > 0 && !types.includes('text/plain')) refuseFiles();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') reply?.onCancel();
          const mark = markOf(event);
          if (mark !== null) {
            event.preventDefault();
            markSelection(event.currentTarget, mark);
          }
          if (!sends(event)) return;
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
        {tools}
        {body.length >= counterFrom && (
          <p className={isTooLong ? 'composer-count c-error' : 'composer-count'} role="status">
            {formatLength(body.length)}
          </p>
        )}
        <span className="composer-hint only-desk">Enter sends, Shift + Enter for a new line</span>
        <Button
          className="composer-send"
          type="submit"
          iconOnly
          icon={SendHorizontal}
          label="Send prompt"
          disabled={!maySend}
        />
      </div>
    </form>
  );
}

function ClosedComposer({ reason }: { readonly reason: string }) {
  return (
    <p className="composer composer-closed" role="note">
      {reason}
    </p>
  );
}

/** The text of a chat's box, kept while it is written; what takes it elsewhere empties the box. */
function useDraft(chatId: string, drafts: DraftStore) {
  const read = () => drafts.read(chatId);
  const text = useSyncExternalStore(drafts.writes.subscribe, read, read);
  return [text, (next: string) => drafts.write(chatId, next)] as const;
}

/** A pointer that is precise has a keyboard beside it; on touch the keyboard would cover the chat. */
function useFocusWithKeyboard(textarea: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (globalThis.matchMedia?.('(pointer: fine)').matches) textarea.current?.focus({ preventScroll: true });
  }, [textarea]);
}

/** Who chose to answer a message goes on to write. */
function useFocusForReply(textarea: RefObject<HTMLTextAreaElement | null>, key: string | undefined): void {
  useEffect(() => {
    if (key !== undefined) textarea.current?.focus();
  }, [textarea, key]);
}

/** A file that is dropped where nobody takes it would open in the place of this page. */
function useRefusedDrops(onRefused: () => void): void {
  const refuse = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'drop') onRefused();
  });
  useEffect(() => {
    const listener = (event: DragEvent) => refuse(event);
    const kinds = ['dragover', 'drop'] as const;
    for (const kind of kinds) window.addEventListener(kind, listener);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, listener);
    };
  }, []);
}

/** Enter alone sends; not with Shift, and not while an input method is composing (229 where the flag comes late). */
function sends(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
  return !event.nativeEvent.isComposing && event.keyCode !== 229;
}

function formatLength(length: number): string {
  const number = (value: number) => formatCount(value);
  if (length <= MESSAGE_BODY_MAX) return `${number(length)} of ${number(MESSAGE_BODY_MAX)}`;
  return `${number(length - MESSAGE_BODY_MAX)} characters too many`;
}
