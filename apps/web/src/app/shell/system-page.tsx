import { useServices } from '#/app/services/services-context.ts';
import { useUser } from '#/features/auth/index.ts';
import { SystemScreen } from '#/features/system/index.ts';

/** The system administration; `part` is what its address names. */
export function SystemPage({ part }: { readonly part: string }) {
  const { id, email } = useUser();
  const { push_key: pushKey } = useServices().config.notifications;
  return <SystemScreen part={part} me={{ id, email }} hasPush={pushKey !== ''} />;
}
