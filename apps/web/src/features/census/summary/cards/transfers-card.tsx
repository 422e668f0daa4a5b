import type { TransferCell } from '@wardline/contract/census/day.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { TransferMatrix } from '@wardline/ui/chart/transfer-matrix.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ArrowLeftRight, TriangleAlert } from 'lucide-react';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { gapOf, type TransferPicture } from './transfer-labels.ts';

interface TransfersCardProps {
  readonly pictures: readonly TransferPicture[];
  /** Shows the report of one side of a move. */
  readonly onOpen?: ((unitId: string, move: TransferCell) => void) | undefined;
}

/** The place a blocked signature leads to. */
export const TRANSFERS_ID = 'transfers';

/** Who sent how many to whom; where the two sides differ it is said, and both reports are a press away. */
export function TransfersCard({ pictures, onOpen }: TransfersCardProps) {
  const gap = gapOf(pictures);
  return (
    <Card id={TRANSFERS_ID} tabIndex={-1}>
      <CardHead
        level={2}
        title="Transfers"
        aside={
          gap > 0 && (
            <Badge tone="warning" icon={TriangleAlert}>
              Gap {formatCount(gap)}
            </Badge>
          )
        }
      />
      {pictures.length === 0 && (
        <EmptyState icon={ArrowLeftRight} level={3} title="No transfers">
          No transfers between the units that have reported.
        </EmptyState>
      )}
      {pictures.map((picture) => (
        <div key={picture.population} className="sum-matrix">
          {pictures.length > 1 && <h3>{picture.population === 'newborn' ? 'Newborn' : 'Adults and children'}</h3>}
          <TransferMatrix
            label={`Transfers, from and to, ${picture.population === 'newborn' ? 'newborn' : 'adults and children'}`}
            units={picture.units}
            cells={picture.cells}
            format={formatCount}
          />
          <Gaps picture={picture} onOpen={onOpen} />
        </div>
      ))}
    </Card>
  );
}

function Gaps({ picture: { units, gaps }, onOpen }: { picture: TransferPicture } & Pick<TransfersCardProps, 'onOpen'>) {
  if (gaps.length === 0) return null;
  const codeOf = (id: string) => units.find((unit) => unit.id === id)?.label ?? '';
  return (
    <ul className="stack stack-1" aria-label="Transfers on which the two sides differ">
      {gaps.map(({ key, text, cell }) => (
        <li key={key} className="row wrap t13">
          <span className="c-warning num">{text}</span>
          {onOpen &&
            [cell.from_unit_id, cell.to_unit_id].map((id) => (
              <Button key={id} variant="link" onClick={() => onOpen(id, cell)}>
                Open {codeOf(id)}
              </Button>
            ))}
        </li>
      ))}
    </ul>
  );
}
