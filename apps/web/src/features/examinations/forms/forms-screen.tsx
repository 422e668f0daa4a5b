import { serverNow } from '@wardline/client/server-clock.ts';
import { EXAMINATION_TYPES } from '@wardline/contract/examinations/examinations.ts';
import type { FormSummary } from '@wardline/contract/examinations/forms.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FileUp, Plus } from 'lucide-react';
import { useState } from 'react';
import { TYPE_ICONS, TYPE_LABELS } from '#/features/examinations/core/examination-labels.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import { FormEditor } from './form-editor.tsx';
import { formBadges } from './form-labels.ts';
import { useForms } from './form-queries.ts';
import './forms.css';

const NewFormDialog = lazyPart(async () => (await import('./new-form-dialog.tsx')).NewFormDialog, {
  onMissing: closeMissing,
});

const formPath = (id: string) => `/settings/facility?view=forms&form=${id}`;

interface FormsScreenProps {
  readonly facility: Facility;
  /** The form that the address names; null for the list. */
  readonly formId: string | null;
}

/** The forms by which examinations are recorded in a facility (EXAM-1, EXAM-2): all of them, or one that is written. */
export function FormsScreen({ facility, formId }: FormsScreenProps) {
  if (formId !== null) return <FormEditor key={formId} {...{ facility, formId }} />;
  return <FormsList facility={facility} />;
}

function FormsList({ facility }: { readonly facility: Facility }) {
  usePageTitle('Examination forms');
  const shellActions = useShellActions();
  const list = useForms(facility.id);
  const [adding, setAdding] = useState<'new' | 'file' | null>(null);
  const forms = list.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <TopBar
        title="Examination forms"
        context={facility.name}
        back={{ href: '/settings/facility#forms', label: 'Facility settings' }}
        actions={shellActions}
      />
      <PageContent>
        <div className="stack stack-6">
          <nav className="only-desk t13" aria-label="Above this page">
            <Link href="/settings/facility#forms">Facility settings</Link>
          </nav>
          <div className="row wrap">
            <p className="muted form-intro">
              Examinations are begun with the published version of a form, and keep it. A form that comes with Wardline
              is copied before it is changed.
            </p>
            <span className="row push">
              <Button variant="outline" color="neutral" icon={FileUp} onClick={() => setAdding('file')}>
                From a file
              </Button>
              <Button icon={Plus} onClick={() => setAdding('new')}>
                New form
              </Button>
            </span>
          </div>
          {forms === undefined && !list.isError && <Skeleton count={7} label="Loading the forms" />}
          {forms === undefined && list.isError && (
            <NotLoaded title="The forms did not load" error={list.error} onRetry={() => void list.refetch()} />
          )}
          {forms && <FormsByType forms={forms} zone={facility.time_zone} />}
          <ShowMore list={list} />
        </div>
      </PageContent>
      {adding !== null && (
        <NewFormDialog
          {...{ facility }}
          forms={forms ?? []}
          isFile={adding === 'file'}
          onClose={() => setAdding(null)}
        />
      )}
    </>
  );
}

function FormsByType({ forms, zone }: { readonly forms: readonly FormSummary[]; readonly zone: string }) {
  // What the facility's own stands in place of is shown there.
  const shown = forms.filter(({ own_copy }) => !own_copy?.is_in_its_place);
  return EXAMINATION_TYPES.flatMap((type) => {
    const own = shown.filter((form) => form.type === type);
    if (own.length === 0) return [];
    const sorted = own.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || a.name.localeCompare(b.name));
    return (
      <Card key={type}>
        <CardHead title={TYPE_LABELS[type]} level={2} aside={<Icon of={TYPE_ICONS[type]} />} />
        <ul className="list" aria-label={TYPE_LABELS[type]}>
          {sorted.map((form) => (
            <li key={form.id}>
              <ListRow
                href={formPath(form.id)}
                title={form.name || 'Form without a name'}
                mark={
                  <span className="row row-1">
                    {formBadges(form).map(({ word, tone }) => (
                      <Badge key={word} tone={tone}>
                        {word}
                      </Badge>
                    ))}
                  </span>
                }
                isTextWhole
                text={formatStanding(form, zone)}
              />
            </li>
          ))}
        </ul>
      </Card>
    );
  });
}

const isOver = ({ state }: FormSummary) => state !== 'in_use';

function formatStanding({ version, field_count, changed, copied_from, state }: FormSummary, zone: string): string {
  const fields = counted(field_count, 'field');
  return [
    version === 0 ? 'Not published yet' : `Version ${version}`,
    fields,
    copied_from && state === 'in_use' && version > 0 && 'in place of the one from Wardline',
    changed && `changed by ${changed.by.name}, ${formatClock(zone, Date.parse(changed.at), serverNow())}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
