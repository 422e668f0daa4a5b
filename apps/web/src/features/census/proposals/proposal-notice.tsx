import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Radio } from 'lucide-react';
import { useReport } from '../unit/report-view.ts';
import { proposedDraft } from './proposal-draft.ts';
import { signedWords, toldWords } from './proposal-words.ts';

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
      Patient system says {toldWords(proposal.counts)}; signed with {signedWords(proposal.counts)}.
    </Banner>
  );
}
