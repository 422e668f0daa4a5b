/** Structured clinical records beside a chat. */
export { ExaminationAct, ExaminationDetail } from './examination-screens.tsx';
export { LaboratoryScreen } from './laboratory/laboratory-screen.tsx';
