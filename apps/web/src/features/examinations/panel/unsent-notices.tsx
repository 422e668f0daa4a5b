import { useRouter } from '@tanstack/react-router';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import type { ExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import type { BeginItem, MoveItem } from '#/features/examinations/moving/use-waiting-moves.ts';
import { WaitingBeginning } from '#/features/examinations/moving/waiting-beginning.tsx';
import { WaitingMoves } from '#/features/examinations/moving/waiting-moves.tsx';
import type { Moves } from './use-moves.ts';

interface UnsentNoticesProps {
  readonly beginning: BeginItem | null;
  readonly waiting: readonly MoveItem[];
  readonly refused: readonly MoveItem[];
  /** As it stands on the server, as far as this device knows. */
  readonly stored: Examination;
  readonly subject: Subject;
  readonly form: ExaminationForm;
  readonly moves: Moves;
  readonly chatPath: string;
}

/** What of an examination is on this device alone, said above it: that it was begun, and what was pressed since. */
export function UnsentNotices({ beginning, waiting, form, moves, chatPath, ...rest }: UnsentNoticesProps) {
  const router = useRouter();
  const leave = () => {
    form.discard();
    void router.navigate({ to: `${chatPath}/examinations` });
  };
  // That nothing of it is sent is said once; beside it stand the press that can be taken back, and what nobody was alerted to.
  const told = waiting.filter((item) => !beginning || item === waiting.at(-1) || item.payload.unalerted.length > 0);
  return (
    <>
      {beginning && <WaitingBeginning item={beginning} onDiscarded={leave} />}
      <WaitingMoves {...rest} waiting={told} taken={moves.taken} onTake={moves.take} />
    </>
  );
}
