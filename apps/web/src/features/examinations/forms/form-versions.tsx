import { serverNow } from '@wardline/client/server-clock.ts';
import type { FacilityForm } from '@wardline/contract/examinations/forms.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formDifferences } from '@wardline/examination/forms/form-difference.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import { useFormVersions } from './form-queries.ts';
import { Sentences } from './sentences.tsx';

interface FormVersionsProps {
  readonly facility: Facility;
  readonly form: FacilityForm;
}

/** Each published version with who published it, and what it changed. */
export function FormVersions({ facility, form }: FormVersionsProps) {
  const list = useFormVersions(facility.id, form.id);
  const versions = list.data?.pages.flatMap(({ data }) => data);
  if (form.version === 0) return null;
  return (
    <Card>
      <CardHead title="Versions" level={2} />
      <div className="form-versions">
        {versions === undefined && !list.isError && <Skeleton count={2} label="Loading the versions" />}
        {versions === undefined && list.isError && (
          <NotLoaded title="The versions did not load" error={list.error} onRetry={() => void list.refetch()} />
        )}
        {versions?.map(({ template, published }, index) => {
          const before = versions[index + 1]?.template ?? null;
          const isFirst = template.version === 1;
          return (
            <details key={template.version} open={form.is_shipped && index === 0}>
              <summary>
                <span className="medium strong num">Version {template.version}</span>{' '}
                <span className="t13 muted">
                  {published
                    ? `${published.by.name}, ${formatClock(facility.time_zone, Date.parse(published.at), serverNow())}`
                    : 'from Wardline'}
                </span>
              </summary>
              {before === null && !isFirst ? (
                <p className="muted">Show more to see what it changed.</p>
              ) : (
                <Sentences of={formDifferences(before, template)} />
              )}
            </details>
          );
        })}
        <ShowMore list={list} />
      </div>
    </Card>
  );
}
