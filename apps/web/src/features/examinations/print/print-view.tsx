import { serverNow } from '@wardline/client/server-clock.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { type Examination, noteExaminationPrint } from '@wardline/contract/examinations/examinations.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { useReportVersions } from '#/features/examinations/core/use-examination.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { Printed } from '#/shared/sheet/printed.tsx';
import { ReportSheet } from './report-sheet.tsx';

interface PrintViewProps {
  readonly examination: Examination;
  readonly facility: Facility;
  readonly subject: Subject;
  readonly onClose: () => void;
}

/** An examination as it comes out of the printer. What is on paper is out of the house: each print is written down. */
export function PrintView({ examination, facility, subject, onClose }: PrintViewProps) {
  const call = useCall();
  const [at] = useState(() => new Date(serverNow()));
  const isSigned = examination.report_version > 0;
  const reports = useReportVersions(examination);
  const user = useQuery({ queryKey: ['user-who-prints'], queryFn: ({ signal }) => call(getUser, { signal }) });
  const error = reports.error ?? user.error;
  const isThere = user.data && (!isSigned || reports.data);
  return (
    <Printed
      back="Back to the examination"
      onClose={onClose}
      title={examination.title}
      onPrint={() => call(noteExaminationPrint, { params: { examination: examination.id } })}
    >
      {isThere ? (
        <ReportSheet
          {...{ examination, subject, at }}
          report={reports.data?.[0] ?? null}
          facilityName={facility.name}
          zone={facility.time_zone}
          by={user.data.name}
        />
      ) : error ? (
        <ErrorState
          title="The report did not load"
          level={3}
          message={formatFailure(error)}
          onRetry={() => {
            void user.refetch();
            if (isSigned) void reports.refetch();
          }}
        />
      ) : (
        <Skeleton shape="rows" count={6} label="Loading the report" />
      )}
    </Printed>
  );
}
