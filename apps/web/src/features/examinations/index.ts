/** Structured clinical records beside a chat. */
export { ExaminationAct, ExaminationDetail } from './examination-screens.tsx';
export { LaboratoryPage } from './laboratory/laboratory-page.tsx';
