import type { ExaminationSummary } from '@wardline/contract/examinations/examinations.ts';
import {
  useExamination,
  useExaminationChanges,
  useExaminations,
} from '#/features/examinations/core/use-examination.ts';
import { useIsNewest } from '#/shared/contexts/use-is-newest.ts';
import { ExaminationLink } from './examination-link.tsx';

interface ExaminationActProps {
  readonly id: string;
  readonly chatId: string;
  readonly seq: number;
}

/**
 * Below the last line in view that tells of an examination: how it stands now, and the way to it. The lines before it say what was
 * done and need no more. All of a chat ask once.
 */
export function ExaminationAct({ id, chatId, seq }: ExaminationActProps) {
  return useIsNewest(id, seq) && <CurrentCard {...{ id, chatId }} />;
}

function CurrentCard({ id, chatId }: Omit<ExaminationActProps, 'seq'>) {
  const { examinations } = useExaminations(chatId);
  useExaminationChanges(chatId);
  const known = examinations?.find((examination) => examination.id === id);
  if (known) return <Card examination={known} />;
  return examinations ? <OlderCard id={id} /> : <div className="m-act" />;
}

/** One that is not among the newest. */
function OlderCard({ id }: { readonly id: string }) {
  const { data } = useExamination(id);
  return data ? <Card examination={data} /> : <div className="m-act" />;
}

function Card({ examination }: { readonly examination: ExaminationSummary }) {
  return (
    <div className="m-act">
      <ExaminationLink examination={examination} />
    </div>
  );
}
