import type { OwnCase } from '@wardline/contract/chat/chat-management.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { chatPath } from '#/features/chat/core/chat-paths.ts';

interface SameCaseProps {
  readonly cases: readonly OwnCase[];
  /** What stands in the form as the patient's name. */
  readonly typedName: string;
  /** One of them is being opened. */
  readonly onOpen: () => void;
}

/** Says below a patient's number that the patient has a case already, or that it is the number of another one, and leads there. */
export function SameCase({ cases, typedName, onOpen }: SameCaseProps) {
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
      {found.patient.name} has a case already: {found.title},{' '}
      <span className="whole">{formatIdentifier(found.patient.identifier)}</span>.
      {isOtherName(found.patient.name, typedName) && ` You typed ${typedName.trim()}: check the name and the number.`}
    </Banner>
  ));
}

/** Of two names that are there, whether they differ in more than case and the order of their parts. */
function isOtherName(one: string, other: string): boolean {
  const typed = foldName(other);
  return typed !== '' && typed !== foldName(one);
}

function foldName(name: string): string {
  const parts =
    name
      .normalize('NFC')
      .toLocaleLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return parts.toSorted().join(' ');
}
