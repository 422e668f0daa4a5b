import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsLayout, SettingsSection } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import {
  BedDouble,
  CalendarDays,
  Clock,
  CloudOff,
  FileSignature,
  Gauge,
  type LucideIcon,
  Radio,
  ScrollText,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { CensusFrame } from '#/features/census/core/census-frame.tsx';
import type { CensusPath } from '#/features/census/core/census-pages.ts';
import { settingsPathOf } from '#/features/census/core/census-paths.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useHoldSection } from '#/shared/navigation/use-hold-section.ts';
import { ClockForm } from './clock-form.tsx';
import { ReadOnlyNote } from './core/read-only-note.tsx';
import { SettingsContext, type Unsaved } from './core/settings-context.ts';
import { useSaveSettings, useSettings } from './core/use-settings.ts';
import { FormatForm } from './format-form.tsx';
import { LogForm } from './log-form.tsx';
import { OccupancyForm } from './occupancy-form.tsx';
import { SigningForm } from './signing-form.tsx';
import { UnitsCard } from './units/units-card.tsx';

interface Section {
  readonly id: 'clock' | 'formats' | 'signing' | 'occupancy' | 'log' | 'units' | 'feed';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly text: string;
}

/** The parts of the settings in their order. */
const sections: readonly Section[] = [
  { id: 'clock', label: 'Census hour', icon: Clock, text: 'When every unit counts, in the facility’s time zone.' },
  { id: 'formats', label: 'Times and dates', icon: CalendarDays, text: 'How this facility writes them.' },
  {
    id: 'signing',
    label: 'Signing',
    icon: FileSignature,
    text: 'Who signs a day, and until when it can change.',
  },
  { id: 'occupancy', label: 'Occupancy', icon: Gauge, text: 'When a unit counts as full.' },
  { id: 'log', label: 'Log', icon: ScrollText, text: 'How long entries can be read, and who gets the log head.' },
  { id: 'units', label: 'Units', icon: BedDouble, text: 'What each unit reports, who reports for it, and its beds.' },
  {
    id: 'feed',
    label: 'Patient system',
    icon: Radio,
    text: 'From when it counts, who is in by it, and messages that were refused.',
  },
];

type SectionId = Section['id'];

function sectionPath(page: CensusPath, id: SectionId): string {
  return `${settingsPathOf(page)}#${id}`;
}

interface SettingsPageProps {
  readonly facility: Facility;
  /** Whose view it is. */
  readonly page: CensusPath;
  /** The part that the address names. */
  readonly current: string;
  readonly unsaved: Unsaved;
}

/** How a facility takes its census: read by whoever opens a census page, changed by those who may. */
export function SettingsPage({ facility, page, current, unsaved }: SettingsPageProps) {
  const settings = useSettings(facility.id);
  return (
    <CensusFrame title="Census settings" path={page} facility={facility}>
      {settings.data ? (
        <LoadedSettings facility={facility} page={page} settings={settings.data} current={current} unsaved={unsaved} />
      ) : (
        <NoSettings settings={settings} />
      )}
    </CensusFrame>
  );
}

function NoSettings({ settings }: { settings: ReturnType<typeof useSettings> }) {
  if (settings.error) {
    return (
      <ErrorState
        title="The settings did not load"
        message={formatFailure(settings.error)}
        onRetry={() => void settings.refetch()}
        isRetrying={settings.isFetching}
      />
    );
  }
  if (settings.fetchStatus === 'paused') {
    return (
      <EmptyState icon={CloudOff} title="The settings need a network">
        They are not kept on this device.
      </EmptyState>
    );
  }
  return <Skeleton shape="fields" count={6} label="Loading the settings" />;
}

const FeedPanel = lazyPart(async () => (await import('./feed/feed-panel.tsx')).FeedPanel, {
  whileLoading: () => <Skeleton count={3} label="Loading the patient system" />,
});

const PARTS: Readonly<Record<SectionId, ReactNode>> = {
  clock: <ClockForm />,
  formats: <FormatForm />,
  signing: <SigningForm />,
  occupancy: <OccupancyForm />,
  log: <LogForm />,
  units: <UnitsCard />,
  feed: <FeedPanel />,
};

interface LoadedSettingsProps extends SettingsPageProps {
  readonly settings: CensusSettings;
}

function LoadedSettings({ facility, page, settings, current, unsaved }: LoadedSettingsProps) {
  const save = useSaveSettings(facility);
  const isOnline = useOnline();
  const lacks = settings.may.configure ? (isOnline ? null : 'network') : 'permission';
  useHoldSection(current);
  // The patient system is set up by who sets the census up; nobody else reads of it.
  const shown = sections.filter(({ id }) => id !== 'feed' || settings.may.configure);
  const marked = shown.find(({ id }) => id === current) ?? shown[0];
  return (
    <SettingsContext value={{ facility, settings, lacks, save, unsaved }}>
      <div className="cs">
        <SettingsLayout
          label="Census settings"
          items={shown.map(({ id, label, icon }) => ({
            href: sectionPath(page, id),
            label,
            icon,
            current: id === marked?.id ? 'section' : undefined,
          }))}
        >
          <ReadOnlyNote />
          {shown.map(({ id, label, text }) => (
            <SettingsSection key={id} id={id} title={label} text={text}>
              {PARTS[id]}
            </SettingsSection>
          ))}
        </SettingsLayout>
      </div>
    </SettingsContext>
  );
}
