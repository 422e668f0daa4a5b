import './system.css';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { LinkTabs } from '@wardline/ui/tabs/link-tabs.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { AccountsPart } from './accounts-part.tsx';
import { FacilitiesPart } from './facilities-part.tsx';
import { HealthPart } from './health-part.tsx';
import { JobsPart } from './jobs-part.tsx';
import { SendingPart } from './sending-part.tsx';
import { type Me, useWarnings } from './use-system.ts';
import { SystemWarnings } from './warnings.tsx';

const PATH = '/settings/system';
const PARTS = [
  { id: 'accounts', label: 'Accounts' },
  { id: 'facilities', label: 'Facilities' },
  { id: 'jobs', label: 'Jobs' },
  { id: 'sending', label: 'Email and push' },
  { id: 'health', label: 'Storage and health' },
] as const;
type PartId = (typeof PARTS)[number]['id'];

const hrefOf = (id: PartId) => `${PATH}?part=${id}`;

interface SystemScreenProps {
  /** What the address names; anything else is the first part. */
  readonly part: string | null;
  readonly me: Me;
  /** Whether devices are told by push here. */
  readonly hasPush: boolean;
}

/** ADM-2: the administration of the installation, for system administrators only. Nothing of it is clinical. */
export function SystemScreen({ part, me, hasPush }: SystemScreenProps) {
  usePageTitle('System administration');
  const shellActions = useShellActions();
  const { isLoading } = useWarnings();
  const open = PARTS.find(({ id }) => id === part) ?? PARTS[0];
  const parts: Readonly<Record<PartId, ReactNode>> = {
    accounts: <AccountsPart me={me} />,
    facilities: <FacilitiesPart />,
    jobs: <JobsPart />,
    sending: <SendingPart me={me} hasPush={hasPush} />,
    health: <HealthPart />,
  };
  return (
    <>
      <TopBar title="System administration" back={{ href: '/settings', label: 'Settings' }} actions={shellActions} />
      <PageContent className="in-order">
        <LinkTabs
          label="System administration"
          pages={PARTS.map(({ id, label }) => ({ href: hrefOf(id), label }))}
          open={hrefOf(open.id)}
        />
        {isLoading ? <Skeleton label="Loading the warnings" /> : <SystemWarnings />}
        <PanelBoundary of={open.id}>
          {/* It loads meanwhile, and is not moved by warnings that come after it (F-U8). */}
          <div hidden={isLoading}>
            <section className="stack stack-4" aria-label={open.label}>
              {parts[open.id]}
            </section>
          </div>
        </PanelBoundary>
      </PageContent>
    </>
  );
}
