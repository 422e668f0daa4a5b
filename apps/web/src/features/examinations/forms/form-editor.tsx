import { useRouter } from '@tanstack/react-router';
import { statusOf } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import {
  createExaminationForm,
  discardFormDraft,
  exportExaminationForm,
  type FacilityForm,
  type FormDefinition,
} from '@wardline/contract/examinations/forms.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formActs } from '@wardline/examination/forms/form-acts.ts';
import { formDifferences } from '@wardline/examination/forms/form-difference.ts';
import { formProblems, isPublishable } from '@wardline/examination/forms/form-problems.ts';
import { withNews2, withoutNews2 } from '@wardline/examination/forms/news2-fields.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { Archive, ArchiveRestore, Copy, Ellipsis, FileDown, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { TYPE_LABELS } from '#/features/examinations/core/examination-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { formBadges } from './form-labels.ts';
import { FormOutline } from './form-outline.tsx';
import { FormPreview } from './form-preview.tsx';
import { useFacilityForm, useKeepForm, useRefreshForms, useUnitChecks } from './form-queries.ts';
import { FormVersions } from './form-versions.tsx';
import { RemovedForm } from './removed-form.tsx';
import { Sentences } from './sentences.tsx';
import { type FormDraft, toDefinition, useFormDraft } from './use-form-draft.ts';

const PublishDialog = lazyPart(async () => (await import('./publish-dialog.tsx')).PublishDialog, {
  onMissing: closeMissing,
});

const LIST = { href: '/settings/facility?view=forms', label: 'Examination forms' };

interface FormEditorProps {
  readonly facility: Facility;
  readonly formId: string;
}

/** One form: written at the left, tried at the right. */
export function FormEditor({ facility, formId }: FormEditorProps) {
  usePageTitle('Examination form');
  const { data, error, refetch } = useFacilityForm(facility.id, formId);
  const isGone = statusOf(error) === 404;
  if (isGone) {
    return (
      <>
        <TopBar title="Examination form" back={LIST} />
        <PageContent>
          <div className="stack stack-4">
            <BackToList />
            <RemovedForm {...{ facility, formId, error }} onRetry={() => void refetch()} />
          </div>
        </PageContent>
      </>
    );
  }
  if (data?.is_shipped) return <ShippedForm key={formId} {...{ facility }} form={data} />;
  if (data) return <OwnForm key={formId} {...{ facility }} form={data} />;
  return (
    <>
      <TopBar title="Examination form" back={LIST} />
      <PageContent>
        {error ? (
          <NotLoaded title="The form did not load" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton shape="fields" count={6} label="Loading the form" />
        )}
      </PageContent>
    </>
  );
}

interface FormProps {
  readonly facility: Facility;
  readonly form: FacilityForm;
}

const todayIn = ({ time_zone }: Facility) => dateIn(time_zone, serverNow());

/** It is read, tried, copied and exported. */
function ShippedForm({ facility, form }: FormProps) {
  const call = useCall();
  const keep = useKeepForm(facility.id);
  const router = useRouter();
  const definition = toDefinition(form);
  const copy = useAction(async () => {
    const body = { definition, copied_from: form.id };
    const made = await call(createExaminationForm, { params: { facility: facility.id }, body });
    keep(made);
    await router.navigate({ href: `/settings/facility?view=forms&form=${made.id}` });
  });
  const { own_copy: own } = form;
  return (
    <>
      <TopBar
        title={form.name}
        context={<FormContext form={form} />}
        back={LIST}
        actions={
          <>
            <ExportMenu {...{ facility, form }} />
            {own === null && (
              <Button icon={Copy} isLoading={copy.isBusy} onClick={copy.run}>
                Change it
              </Button>
            )}
          </>
        }
      />
      <PageContent>
        <div className="stack stack-4">
          <BackToList />
          {copy.error && <Banner tone="error">{copy.error}</Banner>}
          <Banner
            tone="neutral"
            announce="none"
            title="This form comes with Wardline."
            {...(own && { action: <Link href={`/settings/facility?view=forms&form=${own.id}`}>Open your own</Link> })}
          >
            {own
              ? own.is_in_its_place
                ? 'Your facility has its own in its place.'
                : 'Your facility has its own, which is not in use.'
              : 'To change it, a copy is made for your facility. It takes its place once you publish it.'}
          </Banner>
          <div className="form-columns">
            <Preview {...{ definition }} today={todayIn(facility)} />
            <FormVersions facility={facility} form={form} />
          </div>
        </div>
      </PageContent>
    </>
  );
}

function FormContext({ form }: { readonly form: FacilityForm }) {
  return (
    <span className="row row-1 wrap">
      {TYPE_LABELS[form.type] !== form.name && <span className="only-desk">{TYPE_LABELS[form.type]}</span>}
      {form.version > 0 && <span className="num nowrap">version {form.version}</span>}
      {/* Of a form that comes with Wardline the page says so; a phone has no room to say it twice. */}
      <span className={form.is_shipped ? 'only-desk' : 'row row-1 wrap'}>
        {formBadges(form).map(({ word, tone }) => (
          <Badge key={word} tone={tone}>
            {word}
          </Badge>
        ))}
      </span>
    </span>
  );
}

function BackToList() {
  return (
    <nav className="only-desk t13" aria-label="Above this page">
      <Link href={LIST.href}>{LIST.label}</Link>
    </nav>
  );
}

function Preview({ definition, today }: { readonly definition: FormDefinition; readonly today: string }) {
  return (
    <Card className="form-preview">
      <CardHead title="Try it" level={2} aside={<span className="t12 muted">Nothing is saved.</span>} />
      <FormPreview {...{ definition, today }} />
    </Card>
  );
}

function OwnForm({ facility, form }: FormProps) {
  const draft = useFormDraft(facility.id, form);
  const { definition } = draft;
  const isOnline = useOnline();
  const units = useUnitChecks(facility.id, definition.fields);
  const usedCodes = form.used_codes;
  const problems = formProblems(definition, { units, usedCodes });
  const [view, setView] = useState<'write' | 'try'>('write');
  const [isPublishing, setIsPublishing] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const changes = formDifferences(form.published ?? form.shipped, definition);
  const isInUse = form.state === 'in_use';
  const publish = () => {
    if (!isPublishable(problems)) return setWasRefused(true);
    setWasRefused(false);
    setIsPublishing(true);
  };
  const general = problems.filter(({ path, isWarning }) => !isWarning && !path.startsWith('fields.'));
  const wrong = problems.filter(({ isWarning }) => !isWarning).length;
  return (
    <>
      <TopBar
        title={definition.name || 'Form without a name'}
        context={<FormContext form={form} />}
        back={LIST}
        actions={
          <>
            <FormMenu {...{ facility, form, draft }} />
            <Button
              variant="outline"
              color="neutral"
              disabled={!draft.isDirty || draft.isOvertaken || !isOnline}
              isLoading={draft.busy === 'save'}
              onClick={() => void draft.save()}
            >
              Save draft
            </Button>
            <Button
              disabled={changes.length === 0 || draft.isOvertaken || !isInUse || !isOnline}
              isLoading={draft.busy === 'publish'}
              onClick={publish}
            >
              Publish
            </Button>
          </>
        }
      />
      <PageContent>
        <div className="stack stack-4">
          <BackToList />
          <FormNotices {...{ form, draft, isOnline, facility }} />
          {wasRefused && wrong > 0 && (
            <Banner tone="error">
              {wrong === 1 ? 'One thing is' : `${wrong} things are`} to be mended before it can be published.
            </Banner>
          )}
          <div className="form-switch">
            <Segments
              label="What is shown"
              value={view}
              onValueChange={setView}
              choices={[
                { value: 'write', label: 'Write' },
                { value: 'try', label: 'Try it' },
              ]}
            />
          </div>
          <div className="form-columns" data-view={view}>
            <div className="stack stack-4 form-writing">
              <FormHead {...{ definition, problems: general }} onChange={draft.change} />
              <FormOutline {...{ definition, problems }} usedCodes={Object.keys(usedCodes)} onChange={draft.change} />
              <FormVersions facility={facility} form={form} />
            </div>
            <Preview {...{ definition }} today={todayIn(facility)} />
          </div>
        </div>
      </PageContent>
      {isPublishing && (
        <PublishDialog
          {...{ changes, draft }}
          version={form.version + 1}
          warnings={problems.map(({ path, text }) => {
            const [, index] = path.split('.');
            return `${definition.fields[Number(index)]?.label ?? 'The form'}: ${text}`;
          })}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </>
  );
}

interface FormHeadProps {
  readonly definition: FormDefinition;
  readonly problems: readonly { readonly path: string; readonly text: string }[];
  readonly onChange: (definition: FormDefinition) => void;
}

/** What holds for the form as a whole. */
function FormHead({ definition, problems, onChange }: FormHeadProps) {
  const said = (name: string) => problems.find(({ path }) => path === name)?.text;
  const { fields, is_bedside, loinc, ...rest } = definition;
  const hasNews2 = fields.some(({ news2 }) => news2);
  const set = (change: Partial<FormDefinition>) => {
    const next = { fields, is_bedside, loinc, ...rest, ...change };
    const { is_bedside: bedside, loinc: code, ...others } = next;
    onChange({ ...others, ...(bedside && { is_bedside: true }), ...(code && { loinc: code }) });
  };
  return (
    <Card hasPadding className="stack stack-4">
      <div className="form-pair">
        <TextInput
          label="Name of the form"
          autoComplete="off"
          maxLength={80}
          value={definition.name}
          error={said('name')}
          onChange={({ target }) => set({ name: target.value })}
        />
        <TextInput
          label="LOINC code of the form"
          help="Optional."
          autoComplete="off"
          maxLength={20}
          value={loinc ?? ''}
          error={said('loinc')}
          onChange={({ target }) => set({ loinc: target.value.trim() })}
        />
      </div>
      <Checkbox
        label="Done at the bedside"
        help="Begun at once by who is with the patient, without a request before."
        checked={is_bedside === true}
        onChange={({ target }) => set({ is_bedside: target.checked })}
      />
      <Checkbox
        label="Compute NEWS2"
        help="Its fields can’t be removed while it is on."
        error={said('news2')}
        checked={hasNews2}
        onChange={({ target }) => set({ fields: target.checked ? withNews2(fields) : withoutNews2(fields) })}
      />
      {said('fields') && <Banner tone="warning">{said('fields')}</Banner>}
    </Card>
  );
}

interface FormNoticesProps extends FormProps {
  readonly draft: FormDraft;
  readonly isOnline: boolean;
}

/** What is the matter: offline, changed by another, not in use, a newer shipped form. */
function FormNotices({ form, draft, isOnline, facility }: FormNoticesProps) {
  const [isCompared, setIsCompared] = useState(false);
  const { changed, state, copied_from, shipped } = form;
  const theirs = toDefinition(form);
  return (
    <>
      {!isOnline && (
        <Banner tone="warning" title="You are offline.">
          What you write is kept on this device. Save it when you are back online.
        </Banner>
      )}
      {draft.isOvertaken && (
        <Banner
          tone="warning"
          title={`${changed?.by.name ?? 'Somebody'} changed this form${changed ? `, ${formatClock(facility.time_zone, Date.parse(changed.at), serverNow())}` : ''}.`}
          action={
            <span className="row wrap">
              <Button variant="link" size="sm" onClick={() => setIsCompared(!isCompared)}>
                {isCompared ? 'Hide the difference' : 'Show the difference'}
              </Button>
              <Button variant="link" size="sm" onClick={() => draft.decide(true)}>
                Keep mine
              </Button>
              <Button variant="link" size="sm" onClick={() => draft.decide(false)}>
                Take theirs
              </Button>
            </span>
          }
        >
          What you wrote is kept on this device, and not saved yet.
        </Banner>
      )}
      {draft.isOvertaken && isCompared && (
        <Card hasPadding>
          <h2 className="t13 semi">From theirs to yours</h2>
          <Sentences of={formDifferences(theirs, draft.definition)} />
        </Card>
      )}
      {draft.error && !draft.isOvertaken && <Banner tone="error">{draft.error}</Banner>}
      {state === 'retired' && (
        <Banner tone="neutral" announce="none" title="Retired.">
          No examination is begun with it. Those that were stay as they are.
        </Banner>
      )}
      {state === 'shipped_again' && (
        <Banner tone="neutral" announce="none" title="The form from Wardline is used in its place.">
          This one is kept.
        </Banner>
      )}
      {copied_from && shipped && copied_from.newest > copied_from.version && (
        <Banner tone="info" announce="none" title={`Wardline has a newer version of this form, ${copied_from.newest}.`}>
          You copied version {copied_from.version}.
        </Banner>
      )}
    </>
  );
}

interface FormMenuProps extends FormProps {
  readonly draft: FormDraft;
}

function FormMenu({ facility, form, draft }: FormMenuProps) {
  const call = useCall();
  const confirm = useConfirm();
  const router = useRouter();
  const keep = useKeepForm(facility.id);
  const refresh = useRefreshForms(facility.id);
  const exporting = useExport(facility, form);
  const acts = formActs(form);
  const drop = async () => {
    const params = { facility: facility.id, form: form.id };
    const isLast = form.version === 0;
    const done = await confirm({
      title: isLast ? 'Remove this form?' : 'Drop the draft?',
      description: isLast
        ? 'It was never published. What was written of it is gone for everybody.'
        : `What was written since version ${form.version} is gone for everybody. The version stays.`,
      confirmLabel: isLast ? 'Remove form' : 'Drop draft',
      onConfirm: async () => {
        if (form.has_draft) await call(discardFormDraft, { params, query: { expected_revision: form.revision } });
        draft.decide(false);
        if (isLast || !form.has_draft) return;
        keep({ ...form, draft: null, has_draft: false, revision: form.revision + 1 });
      },
    });
    if (!done) return;
    refresh();
    if (isLast) await router.navigate({ href: LIST.href });
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" color="neutral" iconOnly icon={Ellipsis} label="More" isLoading={exporting.isBusy} />
      }
    >
      {form.version > 0 && <ExportItems {...exporting} />}
      {acts.includes('return_to_shipped') && (
        <MenuItem icon={RotateCcw} onSelect={() => void draft.act('return_to_shipped')}>
          Go back to the form from Wardline
        </MenuItem>
      )}
      {acts.includes('retire') && (
        <MenuItem icon={Archive} onSelect={() => void draft.act('retire')}>
          Retire
        </MenuItem>
      )}
      {acts.includes('use_again') && (
        <MenuItem icon={ArchiveRestore} onSelect={() => void draft.act('use_again')}>
          Use again
        </MenuItem>
      )}
      {(form.has_draft || draft.isDirty) && (
        <MenuItem icon={Trash2} onSelect={() => void drop()}>
          {form.version === 0 ? 'Remove form' : 'Drop the draft'}
        </MenuItem>
      )}
    </Menu>
  );
}

function useExport(facility: Facility, form: FacilityForm) {
  const { download, isBusy } = useDownload();
  const take = (format: 'wardline' | 'fhir') =>
    download(
      exportExaminationForm,
      { params: { facility: facility.id, form: form.id }, query: { format } },
      { fileName: 'form.json', failed: 'The file was not made' },
    );
  return { take, isBusy };
}

function ExportItems({ take }: Pick<ReturnType<typeof useExport>, 'take'>) {
  return (
    <>
      <MenuItem icon={FileDown} onSelect={() => void take('wardline')}>
        Export for another hospital
      </MenuItem>
      <MenuItem icon={FileDown} onSelect={() => void take('fhir')}>
        Export as FHIR Questionnaire
      </MenuItem>
    </>
  );
}

function ExportMenu({ facility, form }: FormProps) {
  const exporting = useExport(facility, form);
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="outline" color="neutral" icon={FileDown} isLoading={exporting.isBusy}>
          Export
        </Button>
      }
    >
      <ExportItems {...exporting} />
    </Menu>
  );
}
