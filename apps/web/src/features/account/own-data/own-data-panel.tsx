import { Card } from '@wardline/ui/card/card.tsx';
import { CopyRows } from './copy-rows.tsx';

/** ACC-5: what one takes along, and what becomes of it. */
export function OwnDataPanel() {
  return (
    <Card isList>
      <ul className="list">
        <CopyRows />
      </ul>
    </Card>
  );
}
