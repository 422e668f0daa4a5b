/** Structured clinical records beside a chat. */
export { ExaminationGone } from './examination-screens.tsx';
