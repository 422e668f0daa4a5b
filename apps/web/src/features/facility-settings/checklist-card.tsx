import { Card } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import type { ChecklistItem } from './checklist.ts';

/** What is left to do, each with the way to where it is done. */
export function ChecklistCard({ items }: { readonly items: readonly ChecklistItem[] }) {
  const done = items.filter(({ isDone }) => isDone).length;
  return (
    <Card isList>
      <p className="lrow medium" role="status">
        {done === items.length ? 'Everything is done: the facility can work.' : `${done} of ${items.length} done`}
      </p>
      <ul className="list">
        {items.map(({ id, label, text, isDone, href }) => (
          <li key={id}>
            <ListRow
              href={href}
              title={label}
              mark={<Badge tone={isDone ? 'success' : 'warning'}>{isDone ? 'Done' : 'To do'}</Badge>}
              text={text}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
