import type { MessageAct } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { ReactNode } from 'react';
import { CensusAlertAct } from '#/features/census/index.ts';
import { ExaminationAct, ResultAct } from '#/features/examinations/index.ts';
import { HandoverAct } from '#/features/handovers/index.ts';

interface About {
  readonly id: string;
  readonly facility: Facility;
  readonly chatId: string;
  /** The place of the line in its chat. */
  readonly seq: number;
}

/** Which feature offers what a line of a chat carries; the chat itself knows none of them. */
const ACTS: Readonly<Record<MessageAct['kind'], (about: About) => ReactNode>> = {
  'census.alert': CensusAlertAct,
  examination: ExaminationAct,
  handover: HandoverAct,
  laboratory_result: ResultAct,
};

/** What can be done from a line of a chat, by the feature whose business it is. */
export function MessageActs({ kind, ...about }: MessageAct & About) {
  const Act = ACTS[kind];
  return <Act {...about} />;
}
