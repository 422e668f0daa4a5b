import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Results that reached no chat, what came, and how the laboratory is heard. */
export const LaboratoryScreen = lazyPart(async () => (await import('./laboratory-page.tsx')).LaboratoryPage);

const loadWaiting = () => import('./results-waiting.tsx');

/** On the dashboard: results that wait for who may assign them. */
export const ResultsWaiting = lazyPart(async () => (await loadWaiting()).ResultsWaiting);

/** Below a line of a chat that tells of such a result. */
export const ResultAct = lazyPart(async () => (await loadWaiting()).ResultAct, {
  // The line keeps its height.
  whileLoading: () => <div className="m-act" />,
});
