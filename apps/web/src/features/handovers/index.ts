/** Hand-overs of a patient beside a chat, from one person to the next. */
export { HandoverDetail } from './handover-part.tsx';
export { HandoverListScreen } from './list/handover-list-part.tsx';
export { HandoverAct, HandoversWaiting } from './met-parts.tsx';
