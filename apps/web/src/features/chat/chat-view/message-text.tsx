import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { linkParts } from './link-parts.ts';
import { MessageLink } from './message-link.tsx';

interface MessageTextProps {
  /** The message's id, or the client id of one that waits. */
  readonly messageId: string;
  readonly body: string;
}

// What may be a mark of Markdown; most messages have none and need no more than links.
const mayBeMarked = /[*_`]|^ {0,3}(?:[>•-]|\d{1,3}[.)])\s|^>|\]\(/mu;
const manyLines = /(?:\n[^\n]*){16}/u;

/** The words of a message: line breaks stay, addresses become links, HTML is never read as such. */
export function MessageText({ messageId, body }: MessageTextProps) {
  const isPlain = body.length <= 1200 && !mayBeMarked.test(body) && !manyLines.test(body);
  return isPlain ? <PlainText body={body} /> : <FormattedText messageId={messageId} body={body} />;
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
      {linkParts(body).map((part) =>
        part.href ? <MessageLink key={part.at} href={part.href} text={part.text} /> : part.text,
      )}
    </p>
  );
}
