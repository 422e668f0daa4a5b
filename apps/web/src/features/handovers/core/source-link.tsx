import type { HandoverSource } from '@wardline/contract/examinations/handovers.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { FlaskConical, MessageSquareText } from 'lucide-react';
import { sourcePath } from './handover-labels.ts';
import { clock } from './patient-line.tsx';

interface SourceLinkProps {
  readonly source: HandoverSource;
  readonly isQuoted: boolean;
  readonly chatPath: string;
  readonly zone: string;
}

/** Where a line comes from, and whether it still says what stands there. */
export function SourceLink({ source, isQuoted, chatPath, zone }: SourceLinkProps) {
  return (
    <span className="hand-source">
      <Icon of={source.kind === 'examination' ? FlaskConical : MessageSquareText} />
      <Link href={sourcePath(chatPath, source)}>
        {source.label}, <span className="num">{clock(zone, source.at)}</span>
      </Link>
      {!isQuoted && <span className="muted">· edited</span>}
    </span>
  );
}
