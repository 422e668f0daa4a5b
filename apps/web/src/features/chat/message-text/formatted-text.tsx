import type { Mention } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { createElement, Fragment, type ReactNode, useState } from 'react';
import { type Block, type Inline, type ListItem, readMarkdown } from '#/features/chat/core/message-markdown.ts';
import { type MentionPart, mentionParts } from '#/features/chat/mentions/mention-parts.ts';
import { isLong } from './is-long.ts';
import { MessageLink } from './message-link.tsx';

/** Messages that were unfolded in this tab: a row that scrolls away and comes back stays as it was left. */
const unfolded = new Set<string>();

interface FormattedTextProps {
  readonly messageId: string;
  readonly body: string;
  readonly mentions?: readonly Mention[] | undefined;
  readonly myId?: string | undefined;
}

/** Draws the plain words of a message. */
type DrawText = (text: string) => ReactNode;

/** The words of a message with what their marks mean, folded where they are long. */
export function FormattedText({ messageId, body, mentions = [], myId }: FormattedTextProps) {
  const [isOpen, setIsOpen] = useState(() => unfolded.has(messageId));
  const open = (next: boolean) => {
    if (next) unfolded.add(messageId);
    else unfolded.delete(messageId);
    setIsOpen(next);
  };
  const drawText: DrawText = (text) => inOrder(mentionParts(text, mentions).map((part) => drawMention(part, myId)));
  const blocks = inOrder(readMarkdown(body).map((block) => drawBlock(block, drawText)));
  if (!isLong(body)) return blocks;
  return (
    <>
      <div className={isOpen ? undefined : 'm-folded'}>{blocks}</div>
      <Button variant="link" size="sm" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? 'Show less' : 'Show more'}
      </Button>
    </>
  );
}

function drawMention({ text, mention }: MentionPart, myId: string | undefined): ReactNode {
  if (mention === null) return text;
  const isMine = mention.kind === 'all' || (mention.holder_id ?? mention.id) === myId;
  return <span className={isMine ? 'm-mention is-mine' : 'm-mention'}>{text}</span>;
}

function drawBlock(block: Block, drawText: DrawText): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p className="m-text" dir="auto">
          {drawInline(block.content, drawText)}
        </p>
      );
    case 'quote':
      return (
        <blockquote className="m-blockquote m-text" dir="auto">
          {drawInline(block.content, drawText)}
        </blockquote>
      );
    case 'code':
      return (
        <pre className="m-code" dir="ltr">
          {block.text}
        </pre>
      );
    case 'list': {
      const items = inOrder(block.items.map((item) => drawItem(item, drawText)));
      return block.isNumbered ? <ol className="m-list m-text">{items}</ol> : <ul className="m-list m-text">{items}</ul>;
    }
  }
}

function drawItem({ number, content }: ListItem, drawText: DrawText): ReactNode {
  return (
    <li dir="auto" {...(number === null ? {} : { style: { listStyleType: `"${number} "` } })}>
      {drawInline(content, drawText)}
    </li>
  );
}

function drawInline(content: readonly Inline[], drawText: DrawText): ReactNode {
  return inOrder(content.map((piece) => drawPiece(piece, drawText)));
}

function drawPiece(piece: Inline, drawText: DrawText): ReactNode {
  switch (piece.type) {
    case 'text':
      return drawText(piece.text);
    case 'code':
      return <code>{piece.text}</code>;
    case 'link':
      return <MessageLink {...piece} />;
    case 'strong':
      return <strong>{drawInline(piece.children, drawText)}</strong>;
    case 'emphasis':
      return <em>{drawInline(piece.children, drawText)}</em>;
  }
}

/** Children that never change places need no keys. */
function inOrder(children: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...children);
}
