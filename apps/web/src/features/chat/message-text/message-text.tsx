import type { Mention } from '@wardline/contract/chat/chat.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

interface MessageTextProps {
  /** The message's id, or the client id of one that waits. */
  readonly messageId: string;
  readonly body: string;
  readonly mentions?: readonly Mention[] | undefined;
  readonly myId?: string | undefined;
}

// What may be a mark of Markdown, an address or a telephone number; most messages have none and are shown as they are.
const mayBeMarked = /[*_`@]|:\/\/|www\.|\d[\d ()/-]{6}|^ {0,3}(?:[>•-]|\d{1,3}[.)])\s|^>|\]\(/imu;

/** Whether a text may take more lines than are shown of it, were all its letters wide ones on a phone; is-long.ts looks closer. */
const mayBeLong = (body: string) => body.split('\n').length + body.length / 20 > 16;

/** The words of a message: line breaks stay, addresses become links, HTML is never read as such. */
export function MessageText(props: MessageTextProps) {
  const { body } = props;
  const isPlain = !mayBeMarked.test(body) && !mayBeLong(body);
  return isPlain ? <PlainText body={body} /> : <FormattedText {...props} />;
}

const FormattedText = lazyPart<MessageTextProps>(
  () => import('./formatted-text.tsx').then((part) => part.FormattedText),
  {
    whileLoading: PlainText,
    whenMissing: PlainText,
  },
);

function PlainText({ body }: { readonly body: string }) {
  return (
    <p className="m-text" dir="auto">
      {body}
    </p>
  );
}
