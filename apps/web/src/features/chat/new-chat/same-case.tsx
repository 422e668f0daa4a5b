import type { OwnCase } from '@wardline/contract/chat/chat-management.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { chatPath } from '#/features/chat/core/chat-paths.ts';

interface SameCaseProps {
  readonly cases: readonly OwnCase[];
  /** One of them is being opened. */
  readonly onOpen: () => void;
}

/** Says below a patient's number that the patient has a case already, and leads to it. */
export function SameCase({ cases, onOpen }: SameCaseProps) {
  return cases.map((found) => (
    <Banner
      key={found.id}
      tone="warning"
      action={
        <Link href={chatPath(found)} onClick={onOpen}>
          Open it
        </Link>
      }
    >
      {found.patient.name} has a case already: {found.title}, {formatIdentifier(found.patient.identifier)}.
    </Banner>
  ));
}
