import { dismissProposal, listProposals, type Proposal } from '@wardline/contract/census/proposals.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { useState } from 'react';
import { summaryKey } from '#/features/census/core/changes/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { usePages } from '#/shared/queries/use-pages.ts';
import { proposalPlace, proposalSentence } from './proposal-labels.ts';

const CorrectDialog = lazyPart(async () => (await import('./correct-dialog.tsx')).CorrectDialog, {
  onMissing: closeMissing,
});
const DeclineDialog = lazyPart(async () => (await import('./decline-dialog.tsx')).DeclineDialog, {
  onMissing: closeMissing,
});

interface ProposalsCardProps {
  readonly facilityId: string;
  /** The newest census date: of another year the year is said. */
  readonly newest: string;
}

interface Question {
  readonly kind: 'correct' | 'dismiss';
  readonly proposal: Proposal;
}

/** What the patient system has said of signed reports since; not there where it has said nothing. */
export function ProposalsCard({ facilityId, newest }: ProposalsCardProps) {
  const query = useProposals(facilityId);
  const [question, setQuestion] = useState<Question | null>(null);
  const may = query.data?.pages[0]?.may;
  const proposals = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const close = () => setQuestion(null);
  // An open question follows what is said since, and stays where its proposal is gone.
  const asked = question && (proposals.find(({ id }) => id === question.proposal.id) ?? question.proposal);
  // Not known yet: what stands below waits, so that it is not pushed down.
  if (query.isPending && query.fetchStatus === 'fetching') return <div data-pending hidden />;
  if (proposals.length === 0 && !question) return null;
  return (
    <Card>
      <CardHead level={2} title="Proposed corrections" />
      <ul className="list sum-notes" aria-label="Proposed corrections">
        {proposals.map((proposal) => (
          <Row key={proposal.id} proposal={proposal} newest={newest} may={may} onAsk={setQuestion} />
        ))}
      </ul>
      <ShowMore list={query} />
      {asked && question?.kind === 'correct' && (
        <CorrectDialog facilityId={facilityId} proposal={asked} newest={newest} onClose={close} />
      )}
      {asked && question?.kind === 'dismiss' && (
        <Dismissal facilityId={facilityId} proposal={asked} newest={newest} onClose={close} />
      )}
    </Card>
  );
}

interface DismissalProps extends ProposalsCardProps {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Leaves the signed report as it is. */
function Dismissal({ facilityId, proposal, newest, onClose }: DismissalProps) {
  const call = useCall();
  const place = proposalPlace(proposal, newest);
  return (
    <DeclineDialog
      facilityId={facilityId}
      title={`Dismiss the correction of ${place}?`}
      description={`${proposalSentence(proposal, newest)} The report stays as it was signed.`}
      label="Why is it dismissed?"
      button="Dismiss it"
      done={`${place} stays as it was signed`}
      onGiven={(given) =>
        call(dismissProposal, {
          params: { facility: facilityId, proposal: proposal.id },
          body: { ...given, version: proposal.version },
        })
      }
      onClose={onClose}
    />
  );
}

interface RowProps {
  readonly proposal: Proposal;
  readonly newest: string;
  readonly may: ReplyOf<typeof listProposals>['may'] | undefined;
  readonly onAsk: (question: Question) => void;
}

function Row({ proposal, newest, may, onAsk }: RowProps) {
  const place = proposalPlace(proposal, newest);
  return (
    <li className="row wrap">
      <span className="num grow">{proposalSentence(proposal, newest)}</span>
      <span className="row row-1">
        {may?.correct && (
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            label={`Correct ${place}`}
            onClick={() => onAsk({ kind: 'correct', proposal })}
          >
            Correct
          </Button>
        )}
        {may?.dismiss && (
          <Button
            variant="ghost"
            color="neutral"
            size="sm"
            label={`Dismiss ${place}`}
            onClick={() => onAsk({ kind: 'dismiss', proposal })}
          >
            Dismiss
          </Button>
        )}
      </span>
    </li>
  );
}

/** The proposed corrections of a facility that nobody has answered; fresh with the rest of the summary. */
function useProposals(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: [...summaryKey(facilityId), 'proposals'],
    load: (asked) => call(listProposals, { params: { facility: facilityId }, ...asked }),
  });
}
