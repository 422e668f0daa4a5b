import { useLocation } from '@tanstack/react-router';
import { useServices } from '#/app/services/services-context.ts';
import { useUser } from '#/features/auth/index.ts';
import { SystemScreen } from '#/features/system/index.ts';

/** The system administration, opened at the part that the address names. */
export function SystemPage() {
  const { id, email } = useUser();
  const part = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('part') });
  const { push_key: pushKey } = useServices().config.notifications;
  return <SystemScreen part={part} me={{ id, email }} hasPush={pushKey !== ''} />;
}
