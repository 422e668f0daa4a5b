import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listSystemWarnings } from '@wardline/contract/facilities/system.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatSystemWarning } from '@wardline/format/system-warnings.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { warningTone } from './system-labels.ts';
import { useWarnings } from './use-system.ts';

type Warnings = ReplyOf<typeof listSystemWarnings>['data'];

/** What is the matter with the installation, over the page of its administration. Where nothing is, nothing is said. */
export function SystemWarnings() {
  const { data, isError, error } = useWarnings();
  if (isError && !data)
    return (
      <Banner tone="error" title="The warnings did not load.">
        {formatAction(error)}
      </Banner>
    );
  if (!data || data.data.length === 0) return null;
  return (
    <ul className="stack" aria-label="Warnings">
      {data.data.map((warning) => {
        const { title, text } = formatSystemWarning(warning);
        return (
          <li key={warning.code}>
            <Banner tone={warningTone(warning)} announce="none" title={title}>
              {text}
            </Banner>
          </li>
        );
      })}
    </ul>
  );
}

/** One line for the dashboard of a system administrator: the most pressing of the warnings, and how many there are. */
export function SystemNotice() {
  const { data } = useWarnings();
  const warnings: Warnings = data?.data ?? [];
  const [first] = warnings;
  if (!first) return null;
  const others = warnings.length - 1;
  return (
    <Banner
      tone={warningTone(first)}
      announce="none"
      title={formatSystemWarning(first).title}
      action={<Link href="/settings/system">System administration</Link>}
    >
      {others > 0 && `And ${counted(others, 'other warning')}.`}
    </Banner>
  );
}
