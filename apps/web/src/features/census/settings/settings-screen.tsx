import './settings.css';
import { useLocation } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import type { CensusPath } from '#/features/census/core/census-pages.ts';
import type { Unsaved } from './core/settings-context.ts';
import { SettingsPage } from './settings-page.tsx';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';

/** The settings of a facility's census; its address carries the part that is looked at. */
export function SettingsScreen({ facility, page }: { facility: Facility; page: CensusPath }) {
  const current = useLocation({ select: ({ hash }) => hash });
  const [unsaved] = useState<Unsaved>(() => new Set());
  useAskBeforeLeaving(() => unsaved.size > 0);
  return <SettingsPage facility={facility} page={page} current={current} unsaved={unsaved} />;
}
