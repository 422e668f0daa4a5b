import type { LaboratoryFeed } from '@wardline/contract/examinations/laboratory.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { LaboratoryFrame } from './laboratory-frame.tsx';
import { LaboratoryMessages } from './laboratory-messages.tsx';
import { useLaboratoryFeed } from './laboratory-queries.ts';
import { LaboratorySetup } from './laboratory-setup.tsx';
import { UnmatchedResults } from './unmatched-results.tsx';

interface LaboratoryPageProps {
  readonly facility: Facility;
}

/** Results that reached no chat, what came, and how the laboratory is heard. */
export function LaboratoryPage({ facility }: LaboratoryPageProps) {
  const { data, error, isFetching, refetch } = useLaboratoryFeed(facility.id);
  return (
    <LaboratoryFrame facility={facility}>
      {data ? (
        <Views facility={facility} feed={data} />
      ) : error ? (
        <ErrorState
          title="The laboratory results did not load"
          message={formatFailure(error)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : (
        <Skeleton count={6} label="Loading" />
      )}
    </LaboratoryFrame>
  );
}

type View = 'unmatched' | 'set_aside' | 'messages' | 'setup';

function Views({ facility, feed }: LaboratoryPageProps & { readonly feed: LaboratoryFeed }) {
  const { can_assign, can_change } = feed.my;
  const [view, setView] = useState<View>(can_assign ? 'unmatched' : 'messages');
  const choices: readonly { value: View; label: string }[] = [
    ...(can_assign
      ? ([
          { value: 'unmatched', label: feed.unmatched > 0 ? `To assign (${feed.unmatched})` : 'To assign' },
          { value: 'set_aside', label: 'Set aside' },
        ] as const)
      : []),
    { value: 'messages', label: 'Messages' },
    ...(can_change ? ([{ value: 'setup', label: 'Set-up' }] as const) : []),
  ];
  return (
    <div className="stack stack-4">
      <Segments label="Show" value={view} onValueChange={setView} choices={choices} />
      {(view === 'unmatched' || view === 'set_aside') && (
        <UnmatchedResults key={view} facility={facility} state={view} />
      )}
      {view === 'messages' && <LaboratoryMessages facility={facility} />}
      {view === 'setup' && <LaboratorySetup key={feed.version} facility={facility} feed={feed} />}
    </div>
  );
}
