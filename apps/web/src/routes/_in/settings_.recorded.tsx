import { createFileRoute } from '@tanstack/react-router';
import { RecordedScreen } from '#/features/account/index.ts';

export const Route = createFileRoute('/_in/settings_/recorded')({ component: () => <RecordedScreen /> });
