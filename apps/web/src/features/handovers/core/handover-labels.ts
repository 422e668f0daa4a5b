import type {
  HandoverFormat,
  HandoverSection,
  HandoverSeverity,
  HandoverSigner,
  HandoverSource,
  HandoverState,
} from '@wardline/contract/examinations/handovers.ts';
import type { BadgeTone } from '@wardline/ui/mark/badge.tsx';
import { Ban, Check, Clock, Eye, type LucideIcon, OctagonAlert, Undo2 } from 'lucide-react';

interface Look {
  readonly word: string;
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
}

export const STATE_LOOKS: Readonly<Record<HandoverState, Look>> = {
  given: { word: 'Waiting', tone: 'warning', icon: Clock },
  received: { word: 'Received', tone: 'success', icon: Check },
  declined: { word: 'Declined', tone: 'error', icon: Ban },
  withdrawn: { word: 'Withdrawn', tone: 'neutral', icon: Undo2 },
};

export const SEVERITY_LOOKS: Readonly<Record<HandoverSeverity, Look>> = {
  stable: { word: 'Stable', tone: 'success', icon: Check },
  watcher: { word: 'Watcher', tone: 'warning', icon: Eye },
  unstable: { word: 'Unstable', tone: 'error', icon: OctagonAlert },
};

/** A watcher could get worse. */
export const SEVERITY_CHOICES = [
  { value: 'stable', label: 'Stable' },
  { value: 'watcher', label: 'Watcher' },
  { value: 'unstable', label: 'Unstable' },
] as const;

export const FORMAT_LABELS: Readonly<Record<HandoverFormat, string>> = { ipass: 'I-PASS', sbar: 'SBAR' };

export const FORMAT_CHOICES = [
  { value: 'ipass', label: 'I-PASS' },
  { value: 'sbar', label: 'SBAR' },
] as const;

export const SECTION_LABELS: Readonly<Record<HandoverSection, string>> = {
  ...{ situation: 'Situation', background: 'Background', assessment: 'Assessment', recommendation: 'Recommendation' },
  ...{ summary: 'Patient summary', awareness: 'What may happen, and what to do then' },
};

/** What the receiver writes, by the form of the sheet. */
export const SYNTHESIS_LABELS: Readonly<Record<HandoverFormat, string>> = {
  ...{ ipass: 'Synthesis by receiver', sbar: 'Read-back by receiver' },
};

/** Where a line was taken from leads to where it stands. */
export function sourcePath(chatPath: string, { kind, id, seq }: HandoverSource): string {
  return kind === 'examination' ? `${chatPath}/e-${id}` : `${chatPath}?message=${seq}`;
}

/** Who signed, with what they are. */
export function formatSigner({ name, title }: HandoverSigner): string {
  return title ? `${name}, ${title}` : name;
}
