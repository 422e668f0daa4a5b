import { HandoverLink } from '#/features/handovers/core/handover-link.tsx';
import { useHandover, useHandoverChanges, useHandovers } from '#/features/handovers/core/use-handover.ts';
import { useIsNewest } from '#/shared/contexts/use-is-newest.ts';

interface HandoverActProps {
  readonly id: string;
  readonly chatId: string;
  readonly seq: number;
}

/** Below the last line in view that tells of a hand-over: how it stands now, and the way to it. */
export function HandoverAct({ id, chatId, seq }: HandoverActProps) {
  return useIsNewest(id, seq) && <Card {...{ id, chatId }} />;
}

function Card({ id, chatId }: Omit<HandoverActProps, 'seq'>) {
  const { data: listed } = useHandovers(chatId);
  useHandoverChanges(chatId);
  const known = listed?.find((handover) => handover.id === id);
  // One that is not among the newest.
  const { data: older } = useHandover(id, listed !== undefined && !known);
  const handover = known ?? older;
  return <div className="m-act">{handover && <HandoverLink handover={handover} />}</div>;
}
