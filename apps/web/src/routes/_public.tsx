import { createFileRoute } from '@tanstack/react-router';
import { PublicFrame } from '#/app/shell/public-frame.tsx';

/** NAV-1: pages without a guard. */
export const Route = createFileRoute('/_public')({ component: PublicFrame });
