import { linkParts } from './link-parts.ts';

/** The words of a message as text: line breaks stay, addresses become links, nothing is ever read as markup. */
export function MessageText({ body }: { body: string }) {
  return (
    <p className="m-text">
      {linkParts(body).map((part) =>
        part.href ? (
          <a key={part.at} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
