/** How long messages are kept, and what must not be deleted. */
export { RecordsPanel } from './records-panel.tsx';
