import { Button } from '@wardline/ui/button/button.tsx';
import { createElement, Fragment, type ReactNode, useState } from 'react';
import { MessageLink } from './message-link.tsx';
import { type Block, type Inline, type ListItem, readMarkdown } from './message-markdown.ts';

/** More than a screen of a phone. */
const longLines = 16;
const longCharacters = 1200;

/** Messages that were unfolded in this tab: a row that scrolls away and comes back stays as it was left. */
const unfolded = new Set<string>();

interface FormattedTextProps {
  readonly messageId: string;
  readonly body: string;
}

/** The words of a message with what their marks mean, folded where they are long. */
export function FormattedText({ messageId, body }: FormattedTextProps) {
  const isLong = body.length > longCharacters || body.split('\n').length > longLines;
  const [isOpen, setIsOpen] = useState(() => unfolded.has(messageId));
  const open = (next: boolean) => {
    if (next) unfolded.add(messageId);
    else unfolded.delete(messageId);
    setIsOpen(next);
  };
  const blocks = inOrder(readMarkdown(body).map(drawBlock));
  if (!isLong) return blocks;
  return (
    <>
      <div className={isOpen ? undefined : 'm-folded'}>{blocks}</div>
      <Button variant="link" size="sm" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? 'Show less' : 'Show more'}
      </Button>
    </>
  );
}

function drawBlock(block: Block): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p className="m-text" dir="auto">
          {drawInline(block.content)}
        </p>
      );
    case 'quote':
      return (
        <blockquote className="m-blockquote m-text" dir="auto">
          {drawInline(block.content)}
        </blockquote>
      );
    case 'code':
      return (
        <pre className="m-code" dir="ltr">
          {block.text}
        </pre>
      );
    case 'list': {
      const items = inOrder(block.items.map(drawItem));
      return block.isNumbered ? <ol className="m-list m-text">{items}</ol> : <ul className="m-list m-text">{items}</ul>;
    }
  }
}

function drawItem({ number, content }: ListItem): ReactNode {
  return (
    <li dir="auto" {...(number === null ? {} : { style: { listStyleType: `"${number} "` } })}>
      {drawInline(content)}
    </li>
  );
}

function drawInline(content: readonly Inline[]): ReactNode {
  return inOrder(content.map(drawPiece));
}

function drawPiece(piece: Inline): ReactNode {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'code':
      return <code>{piece.text}</code>;
    case 'link':
      return <MessageLink {...piece} />;
    case 'strong':
      return <strong>{drawInline(piece.children)}</strong>;
    case 'emphasis':
      return <em>{drawInline(piece.children)}</em>;
  }
}

/** Children that never change places need no keys. */
function inOrder(children: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...children);
}
