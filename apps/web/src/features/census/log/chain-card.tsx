import type { LogVerification } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { formatRounded } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { CardHead } from '@wardline/ui/card/card.tsx';
import { classNames } from '@wardline/ui/class-names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Check, ChevronDown, OctagonAlert, Shield, ShieldCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';
import { shortHash } from './log-labels.ts';
import { useChain } from './use-census-log.ts';

interface ChainCardProps {
  readonly facility: Facility;
  readonly today: string;
}

/** What the last walk along the chain of hashes found, and what that is worth. Beside the list, or folded above it. */
export function ChainCard({ facility, today }: ChainCardProps) {
  const { chain, verifyNow } = useChain(facility.id);
  const verifying = useAction(verifyNow);
  const [isOpen, setIsOpen] = useState(false);
  const bodyId = useId();
  const titleId = useId();
  return (
    <aside className={classNames('card log-chain', isOpen && 'is-open')} aria-labelledby={titleId}>
      <button
        type="button"
        className="log-chain-fold"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <FoldGlyph chain={chain.data} />
        <span className="grow">{formatCollapsed(chain.data, facility, today)}</span>
        <Icon of={ChevronDown} className={classNames('log-more', isOpen && 'is-open')} />
      </button>
      <div className="log-chain-body" id={bodyId}>
        <CardHead level={2} id={titleId} title="Chain" {...(chain.data ? { aside: <Found {...chain.data} /> } : {})} />
        {chain.isPending && <Skeleton shape="text" label="Loading the verification" />}
        {chain.isError && (
          <ErrorState
            title="The verification did not load"
            level={3}
            message={formatFailure(chain.error)}
            onRetry={() => void chain.refetch()}
            isRetrying={chain.isFetching}
          />
        )}
        {chain.data && (
          <div className="log-chain-facts">
            <DescriptionList items={toReportInput(chain.data, facility, today)} />
          </div>
        )}
        <p className="t12 muted log-chain-note">
          The chain shows that the log agrees with itself. Someone who could rewrite the whole table could rebuild it,
          so the head of each signed day is also kept outside this system: on its printed sheet, and by email where the
          facility asks for it.
        </p>
        {chain.data && chain.data.changed_day !== null && (
          <Banner tone="error">
            What was signed for {formatDay(chain.data.changed_day, today)} was changed since. A sheet that was printed
            then has the SHA-256 of what was signed.
          </Banner>
        )}
        {verifying.error !== null && <Banner tone="error">{verifying.error}</Banner>}
        <Button
          className="log-chain-act"
          variant="outline"
          color="neutral"
          icon={ShieldCheck}
          isLoading={verifying.isBusy}
          onClick={verifying.run}
        >
          Verify now
        </Button>
      </div>
    </aside>
  );
}

/** Green only for a chain that was walked and found whole. */
function FoldGlyph({ chain }: { chain: LogVerification | undefined }) {
  if (chain && chain.broken_at !== null) return <Icon of={OctagonAlert} className="c-error" />;
  const isWhole = chain !== undefined && chain.verified_at !== null;
  return isWhole ? <Icon of={ShieldCheck} className="c-success" /> : <Icon of={Shield} className="muted" />;
}

function Found({ verified_at, broken_at }: LogVerification) {
  if (broken_at !== null) {
    return (
      <Badge tone="error" icon={OctagonAlert}>
        Break at {formatCount(broken_at)}
      </Badge>
    );
  }
  if (verified_at === null) return <Badge>Not verified yet</Badge>;
  return (
    <Badge tone="success" icon={Check}>
      No break found
    </Badge>
  );
}

function toReportInput(chain: LogVerification, { time_zone }: Facility, today: string) {
  const { verified_at, took_ms, entries, head, broken_at, kept_outside: kept } = chain;
  const took = took_ms === null ? '' : `, took ${formatRounded(took_ms / 1000, 2)} s`;
  return [
    {
      term: 'Verified',
      description: verified_at === null ? 'Never' : `${formatMoment(verified_at, time_zone, today)}${took}`,
    },
    {
      term: 'Entries',
      description:
        verified_at === null || broken_at !== null
          ? formatCount(entries)
          : `${formatCount(entries)}, no gap in the numbers`,
    },
    {
      term: 'Head',
      description:
        head === null ? (
          '–'
        ) : (
          <span className="mono" title={head.hash}>
            {shortHash(head.hash, 4)}
          </span>
        ),
    },
    {
      term: 'Kept outside',
      description:
        kept.length === 0
          ? 'Not yet: no signed day was printed or emailed.'
          : kept.map((head) => (
              <span className="log-kept" key={head.census_date}>
                {formatCarrier(head)} of {formatDay(head.census_date, today)}, entry {formatCount(head.seq)}
              </span>
            )),
    },
  ];
}

function formatCarrier({ is_printed, is_mailed }: LogVerification['kept_outside'][number]): string {
  if (is_printed && is_mailed) return 'Sheet and email';
  return is_printed ? 'Sheet' : 'Email';
}

function formatCollapsed(chain: LogVerification | undefined, { time_zone }: Facility, today: string): string {
  if (!chain) return 'Chain';
  if (chain.broken_at !== null) return `Chain: a break at ${formatCount(chain.broken_at)}`;
  if (chain.verified_at === null) return 'Chain: not verified yet';
  return `Chain verified ${formatMoment(chain.verified_at, time_zone, today)}, no break found`;
}

function formatMoment(at: string, zone: string, today: string): string {
  const instant = Date.parse(at);
  return `${formatDay(dayIn(zone, instant), today)}, ${timeIn(zone, instant)}`;
}
