/** Structured clinical records beside a chat. */
export { ExaminationAct, ExaminationDetail, FormsScreen } from './examination-screens.tsx';
