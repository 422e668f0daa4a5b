import './facility-settings.css';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { FacilitySettings } from '@wardline/contract/facilities/facility-settings.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsLayout, SettingsSection } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import {
  BedDouble,
  Building2,
  ClipboardList,
  Clock,
  FolderArchive,
  FolderSync,
  ListChecks,
  Lock,
  type LucideIcon,
  ShieldCheck,
  UserPlus,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { useHoldSection } from '#/shared/navigation/use-hold-section.ts';
import { checklistOf } from './checklist.ts';
import { ChecklistCard } from './checklist-card.tsx';
import { FacilityForm } from './facility-form.tsx';
import { mayCensus, useCensusSetUp, useFacilitySettings } from './facility-queries.ts';
import { MembersCard } from './members-card.tsx';
import { PoliciesForm } from './policies-form.tsx';
import { RolesCard } from './roles-card.tsx';
import { ShiftsForm } from './shifts-form.tsx';

const DirectoryCard = lazyPart<{ facility: Facility }>(
  async () => (await import('./directory-card.tsx')).DirectoryCard,
  { whileLoading: () => <Skeleton count={1} label="Loading the directory" /> },
);

interface Section {
  readonly id:
    | 'checklist'
    | 'facility'
    | 'shifts'
    | 'security'
    | 'units'
    | 'members'
    | 'roles'
    | 'invitations'
    | 'directory'
    | 'forms'
    | 'records';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly text: string;
}

const SECTIONS: readonly Section[] = [
  { id: 'checklist', label: 'Checklist', icon: ListChecks, text: 'What the facility needs until it can work.' },
  { id: 'facility', label: 'Facility', icon: Building2, text: 'What it is called and where it is.' },
  { id: 'shifts', label: 'Shifts', icon: Clock, text: 'When they begin, by name. The hand-over list goes by them.' },
  { id: 'security', label: 'Security', icon: Lock, text: 'Second factors, and when shared screens lock.' },
  { id: 'units', label: 'Units and beds', icon: BedDouble, text: 'What is counted, and how many beds there are.' },
  { id: 'members', label: 'People', icon: Users, text: 'Who has which role. A change holds at once.' },
  { id: 'roles', label: 'Roles', icon: ShieldCheck, text: 'What each role lets people see and do.' },
  { id: 'invitations', label: 'Invitations', icon: UserPlus, text: 'Links with which colleagues join.' },
  { id: 'directory', label: 'Directory', icon: FolderSync, text: 'Your staff directory adds people and gives roles.' },
  {
    id: 'forms',
    label: 'Examination forms',
    icon: ClipboardList,
    text: 'What is asked for and recorded in examinations.',
  },
  {
    ...{ id: 'records', label: 'Keeping messages', icon: FolderArchive },
    text: 'How long messages are kept, and what must not be deleted.',
  },
];

/** For who manages the members. */
const OF_MEMBERS: readonly Section['id'][] = ['roles', 'invitations', 'directory'];

interface FacilitySettingsScreenProps {
  readonly facility: Facility;
  readonly myId: string;
  /** The names of the roles that one has there. */
  readonly myRoles: readonly string[];
  /** The part that the address names. */
  readonly current: string;
  /** For who may invite. */
  readonly invitations: ReactNode;
  /** For who answers for the record. */
  readonly records: ReactNode;
  readonly onOwnChange: () => Promise<void>;
}

/** ADM-1: administration of one facility. */
export function FacilitySettingsScreen({
  facility,
  myId,
  myRoles,
  current,
  invitations,
  records,
  onOwnChange,
}: FacilitySettingsScreenProps) {
  usePageTitle('Facility settings');
  useHoldSection(current);
  const shellActions = useShellActions();
  const settings = useFacilitySettings(facility.id);
  const census = useCensusSetUp(facility);
  const mayManage = facility.permissions.includes('members.manage');
  const shown = SECTIONS.filter(({ id }) => {
    if (id === 'records') return facility.permissions.includes('records.manage');
    return mayManage || !OF_MEMBERS.includes(id);
  });
  const marked = shown.find(({ id }) => id === current) ?? shown[0];
  const ofOthers: Readonly<Partial<Record<Section['id'], ReactNode>>> = { invitations, records, forms: <FormsCard /> };
  const partOf = (id: Section['id']): ReactNode => {
    if (ofOthers[id] !== undefined) return ofOthers[id];
    if (id === 'members') return <MembersCard facility={facility} myId={myId} onOwnChange={onOwnChange} />;
    if (id === 'roles') return <RolesCard facility={facility} myRoles={myRoles} onOwnChange={onOwnChange} />;
    if (id === 'directory') return <DirectoryCard facility={facility} />;
    if (id === 'units') return <UnitsCard census={census.data ?? null} isLoading={census.isLoading} />;
    if (settings.isError && !settings.data) return <Failed of={settings} />;
    if (id === 'shifts') return <ShiftsPart settings={settings.data} />;
    if (id === 'security') return <SecurityPart settings={settings.data} onOwnChange={onOwnChange} />;
    return id === 'checklist' ? (
      <Checklist facility={facility} settings={settings.data} census={census} />
    ) : (
      <FacilityPart settings={settings.data} census={census} />
    );
  };
  return (
    <>
      <TopBar title="Facility settings" context={facility.name} actions={shellActions} />
      <PageContent>
        <SettingsLayout
          label="Facility settings"
          items={shown.map(({ id, label, icon }) => ({
            href: `/settings/facility#${id}`,
            label,
            icon,
            current: id === marked?.id ? 'section' : undefined,
          }))}
        >
          {shown.map(({ id, label, text }) => (
            <SettingsSection key={id} id={id} title={label} text={text}>
              {partOf(id)}
            </SettingsSection>
          ))}
        </SettingsLayout>
      </PageContent>
    </>
  );
}

interface SetUpProps {
  readonly settings: FacilitySettings | undefined;
  readonly census: ReturnType<typeof useCensusSetUp>;
}

/** While it loads as high as what comes: what stands below must not move. */
function Checklist({ facility, settings, census }: SetUpProps & { readonly facility: Facility }) {
  if (settings && !census.isLoading) return <ChecklistCard items={checklistOf(settings, census.data ?? null)} />;
  return <Skeleton count={mayCensus(facility) ? 8 : 4} label="Loading the checklist" />;
}

function FacilityPart({ settings, census }: SetUpProps) {
  if (settings) return <FacilityForm facility={settings} clock={clockOf(census.data)} />;
  return <Skeleton shape="fields" count={4} label="Loading the facility" />;
}

function ShiftsPart({ settings }: Pick<SetUpProps, 'settings'>) {
  if (settings) return <ShiftsForm facility={settings} />;
  return <Skeleton shape="fields" count={4} label="Loading the shifts" />;
}

function SecurityPart({ settings, onOwnChange }: Pick<SetUpProps, 'settings'> & { onOwnChange: () => Promise<void> }) {
  if (settings) return <PoliciesForm facility={settings} onOwnChange={onOwnChange} />;
  return <Skeleton shape="fields" count={2} label="Loading the rules" />;
}

function Failed({ of: settings }: { of: ReturnType<typeof useFacilitySettings> }) {
  return (
    <ErrorState
      level={3}
      title="The facility did not load"
      message={formatFailure(settings.error)}
      onRetry={() => void settings.refetch()}
    />
  );
}

function UnitsCard({ census, isLoading }: { census: CensusSettings | null; isLoading: boolean }) {
  const count = census?.units.length ?? 0;
  return (
    <Card hasPadding className="stack">
      {isLoading && <p>{'\u00a0'}</p>}
      {census !== null && <p>{count === 0 ? 'No units yet.' : `${counted(count, 'unit')}.`}</p>}
      <p>
        <Button asChild variant="outline" color="neutral">
          <Link href="/census?view=settings#units">Open units and beds</Link>
        </Button>
      </p>
    </Card>
  );
}

function FormsCard() {
  return (
    <Card hasPadding>
      <p>
        <Button asChild variant="outline" color="neutral">
          <Link href="/settings/facility?view=forms">Open the forms</Link>
        </Button>
      </p>
    </Card>
  );
}

function clockOf(census: CensusSettings | undefined): string | null {
  return census ? `${census.census_time}, ${census.time_zone}` : null;
}
