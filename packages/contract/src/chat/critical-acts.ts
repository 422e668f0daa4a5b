import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Nothing } from '../values.ts';
import { Message } from './chat.ts';
import { CriticalTimesRow, Month, ReadBack, WrongPart } from './critical.ts';

const messageParams = z.strictObject({ chat: Id, message: Id });
const monthsParams = {
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: z.strictObject({ from: Month, to: Month }),
  body: Nothing,
  status: 200,
} as const;

export const receiveCritical = endpoint({
  name: 'receiveCritical',
  summary:
    'I have a critical result that I was called for, and am about to read it back. It calls on until that agrees. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/critical/receipt',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Message,
});

export const readBackCritical = endpoint({
  name: 'readBackCritical',
  summary:
    'Restates value, unit and patient of a critical result that I was called for. What does not agree is named and kept as a try, and it calls on; where all agrees nobody further is called. 409 when somebody else has read it back.',
  method: 'POST',
  path: '/api/chats/{chat}/messages/{message}/critical/read-backs',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: ReadBack,
  status: 200,
  reply: z.object({ is_right: z.boolean(), wrong: z.array(WrongPart), message: Message }),
});

export const listCriticalTimes = endpoint({
  name: 'listCriticalTimes',
  summary:
    'Times from a critical result to each step of its alert, by month, unit and category; 13 months at most. For those with on_call.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/critical-times',
  ...monthsParams,
  reply: z.object({ data: z.array(CriticalTimesRow) }),
});

export const exportCriticalTimes = endpoint({
  name: 'exportCriticalTimes',
  summary: 'The same as CSV; audited.',
  method: 'GET',
  path: '/api/facilities/{facility}/critical-times/export',
  ...monthsParams,
  isDownload: true,
  reply: z.unknown(),
});

export const criticalEndpoints = [receiveCritical, readBackCritical, listCriticalTimes, exportCriticalTimes] as const;
