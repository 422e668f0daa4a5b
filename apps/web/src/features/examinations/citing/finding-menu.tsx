import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { Entry, Examination, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { citationOf } from '@wardline/examination/citation.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { ChartLine, ChevronDown, MessagesSquare } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import type { useCiting } from './use-citing.ts';
import './citing.css';

const CitingDialog = lazyPart(async () => (await import('./citing-dialog.tsx')).CitingDialog, {
  onMissing: closeMissing,
});

/** A finding to be put into the message that is written in the chat. */
export interface CiteOffer {
  readonly citation: Citation;
  readonly onCited: () => void;
}

/** What a finding of a signed report offers, and which finding somebody was led to. */
export interface FindingActs {
  readonly examination: Examination;
  readonly zone: string;
  readonly chatPath: string;
  readonly citing: ReturnType<typeof useCiting>;
  readonly cite: (offer: CiteOffer) => ReactNode;
  readonly onCited: () => void;
  readonly onTrend: (field: TemplateField) => void;
  /** The field that the address names, and the visit that brought it. */
  readonly linked: LinkedFinding | null;
}

export interface LinkedFinding {
  readonly field: string;
  readonly visit: string;
}

interface FindingMenuProps extends FindingActs {
  readonly field: TemplateField;
  readonly entries: readonly Entry[];
}

/** The name of a finding as the button of its menu: cite it, see which messages did. Who is led to it stands on it. */
export function FindingMenu({ field, entries, ...acts }: FindingMenuProps) {
  const { examination, zone, chatPath, citing, cite, onCited, onTrend, linked } = acts;
  const { id, report_version: version, template, state } = examination;
  const [isListing, setIsListing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const visit = linked?.field === field.code ? linked.visit : null;
  useEffect(() => {
    if (visit === null) return;
    button.current?.focus({ preventScroll: true });
    button.current?.scrollIntoView({ block: 'center' });
  }, [visit]);
  const citation = state === 'entered_in_error' ? null : citationOf(id, { template, version, entries }, field.code);
  const messages = citing.ofField(field.code);
  return (
    <>
      <Menu
        trigger={
          <Button
            ref={button}
            id={nameId(field.code)}
            className={visit === null ? 'exam-finding' : 'exam-finding is-shown'}
            variant="ghost"
            color="neutral"
            size="sm"
            trailingIcon={ChevronDown}
            iconSize="sm"
          >
            {field.label}
          </Button>
        }
      >
        {field.kind === 'quantity' && (
          <MenuItem icon={ChartLine} onSelect={() => onTrend(field)}>
            Trend
          </MenuItem>
        )}
        <MenuItem icon={MessagesSquare} isDisabled={messages.length === 0} onSelect={() => setIsListing(true)}>
          {formatCount(messages.length, citing.list.hasNextPage)}
        </MenuItem>
        {/* Its code may come after the menu: below, it moves nothing under a finger. */}
        {citation && cite({ citation, onCited })}
      </Menu>
      {messages.length > 0 && (
        <Button
          className="exam-cited"
          variant="link"
          size="sm"
          label={`${field.label}: ${formatCount(messages.length, citing.list.hasNextPage)}`}
          icon={MessagesSquare}
          onClick={() => setIsListing(true)}
        >
          <span className="num">{messages.length}</span>
        </Button>
      )}
      {isListing && (
        <CitingDialog {...{ field, messages, zone, chatPath }} list={citing.list} onClose={() => setIsListing(false)} />
      )}
    </>
  );
}

/** Where the focus comes back to from what a finding opened. */
export function nameId(code: string): string {
  return `finding-${code}`;
}

function formatCount(count: number, hasMore: boolean): string {
  if (count === 0) return hasMore ? 'No recent message cites it' : 'No message cites it';
  if (count === 1 && !hasMore) return '1 message cites it';
  return `${count}${hasMore ? ' or more' : ''} messages cite it`;
}
