import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

interface LaboratoryFrameProps {
  readonly facility: Facility;
  readonly children: ReactNode;
}

/** Head of the page of laboratory results. */
export function LaboratoryFrame({ facility, children }: LaboratoryFrameProps) {
  usePageTitle('Laboratory results');
  return (
    <>
      <TopBar
        title="Laboratory results"
        context={facility.name}
        back={{ href: '/settings', label: 'Settings' }}
        actions={useShellActions()}
      />
      <PageContent className="in-order">
        <PanelBoundary of="/settings/laboratory">{children}</PanelBoundary>
      </PageContent>
    </>
  );
}
