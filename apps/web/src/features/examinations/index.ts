/** Structured clinical records beside a chat. */
export { ExaminationAct, ExaminationDetail } from './examination-screens.tsx';
export { FormsScreen } from './forms-part.tsx';
export { LaboratoryScreen, ResultAct, ResultsWaiting } from './laboratory/laboratory-screen.tsx';
export { registerMoves } from './moving/register-moves.ts';
