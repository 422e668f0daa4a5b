import { createFileRoute } from '@tanstack/react-router';
import { contactOperator } from '@wardline/contract/account/account.ts';
import { useConfig } from '#/app/services/use-config.ts';
import { useSessionState } from '#/features/auth/index.ts';
import { ContactsScreen, loadContent } from '#/features/public/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_public/contacts')({
  loader: () => loadContent('/contacts'),
  staleTime: Number.POSITIVE_INFINITY,
  component: ContactsPage,
});

function ContactsPage() {
  usePageTitle('Contacts');
  const call = useCall();
  const session = useSessionState();
  return (
    <ContactsScreen
      content={Route.useLoaderData()}
      contact={useConfig().contact}
      person={session.status === 'signed-in' ? session.user : null}
      send={async (body) => void (await call(contactOperator, { body }))}
    />
  );
}
