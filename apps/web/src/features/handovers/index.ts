/** Hand-overs of a patient beside a chat, from one person to the next. */
export { HandoverAct, HandoverDetail, HandoversWaiting } from './handover-screens.tsx';
