import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';

/** The shape of the board: the facility's total, and a card for each unit. */
export function BoardLoading() {
  return (
    <div className="stack stack-6">
      <Skeleton shape="tiles" label="Loading the board" />
      <Skeleton shape="cards" count={6} label={null} />
    </div>
  );
}

/** The shape of the summary: what is in, then the measures. */
export function SummaryLoading() {
  return (
    <div className="stack stack-6">
      <Skeleton shape="tiles" label="Loading the summary" />
      <div className="card">
        <Skeleton count={8} label={null} />
      </div>
    </div>
  );
}
