import type { ReactNode } from 'react';
import { Link } from '#/link/link.tsx';

export type SectionHeadProps = {
  title: ReactNode;
  level?: 2 | 3 | undefined;
  /** For the section's `aria-labelledby`. */
  id?: string | undefined;
  /** Right after the title, a pill for instance. */
  mark?: ReactNode;
  context?: ReactNode;
  /** At the right end. */
  link?: { href: string; label: string } | undefined;
};

/** The line above a section: title, count, context, and a link to the whole of it. */
export function SectionHead({ title, level = 2, id, mark, context, link }: SectionHeadProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="sec-head">
      <Heading id={id}>{title}</Heading>
      {mark}
      {context !== undefined && <span className="ctx">{context}</span>}
      {link && (
        <Link className="push" href={link.href}>
          {link.label}
        </Link>
      )}
    </div>
  );
}
