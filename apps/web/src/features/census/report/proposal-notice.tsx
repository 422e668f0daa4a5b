import type { ProposedCount, UnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Radio } from 'lucide-react';
import { formatReceived, formatSigned } from '#/features/census/proposals/proposal-labels.ts';
import { feedDraft, type ReportDraft } from './engine/report-draft.ts';
import { useReport } from './engine/report-view.ts';

/** On the report itself: what the patient system has said since it was signed, to be taken while it is being corrected. */
export function ProposalNotice() {
  const { state, editor, isEditable } = useReport();
  const { proposal, feed } = state.day;
  if (!proposal) return null;
  const take = () => editor.change((draft) => proposedDraft(draft, proposal.counts, feed));
  return (
    <Banner
      tone="info"
      icon={Radio}
      title="Proposed correction."
      action={
        isEditable && (
          <Button variant="outline" color="neutral" size="sm" onClick={take}>
            Use these counts
          </Button>
        )
      }
    >
      Patient system says {formatReceived(proposal.counts)}; signed with {formatSigned(proposal.counts)}.
    </Banner>
  );
}

/** The draft with what is proposed in place of what was signed; all else stays as it is. */
function proposedDraft(draft: ReportDraft, counts: readonly ProposedCount[], feed: UnitDay['feed']): ReportDraft {
  const numbers = { ...draft.numbers };
  for (const { field, told } of counts) numbers[field] = String(told);
  const moved = counts.flatMap(({ field }) => {
    if (field === 'transfers_in') return ['in'];
    return field === 'transfers_out' ? ['out'] : [];
  });
  if (!feed || moved.length === 0) return { ...draft, numbers };
  // A count of transfers is the sum over the partners, and only the feed knows them.
  const said = feedDraft(draft, feed).transfers.filter(({ direction }) => moved.includes(direction));
  const kept = draft.transfers.filter(({ direction }) => !moved.includes(direction));
  return { ...draft, numbers, transfers: [...kept, ...said] };
}
