import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useRetention } from '#/shared/records/record-queries.ts';
import { HoldsCard } from './holds-card.tsx';
import { RetentionForm } from './retention-form.tsx';
import { UnexportedCard } from './unexported-card.tsx';

/** ADM-4: for who answers for the record of a facility. */
export function RecordsPanel({ facility }: { readonly facility: Facility }) {
  const retention = useRetention(facility.id);
  const [savedVersion, setSavedVersion] = useState<number | null>(null);
  return (
    <div className="stack stack-6">
      {retention.data && (
        <RetentionForm
          key={retention.data.version}
          facility={facility}
          retention={retention.data}
          isSaved={savedVersion === retention.data.version}
          onSaved={setSavedVersion}
        />
      )}
      {retention.isPending && <Skeleton shape="fields" count={4} label="Loading the rules" />}
      {retention.isError && !retention.data && (
        <Card hasPadding>
          <ErrorState
            level={3}
            title="The rules did not load"
            message={formatFailure(retention.error)}
            onRetry={() => void retention.refetch()}
          />
        </Card>
      )}
      <UnexportedCard facility={facility} />
      <HoldsCard facility={facility} />
    </div>
  );
}
