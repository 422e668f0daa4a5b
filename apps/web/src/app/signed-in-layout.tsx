import '#/features/chat/chat.css';
import { Outlet } from '@tanstack/react-router';
import { QueryClientProvider } from '@tanstack/react-query';
import { TooltipProvider } from '@wardline/ui/tooltip/tooltip.tsx';
import { useUser } from '#/features/auth/index.ts';
import { ChatRuntimeProvider } from '#/features/chat/index.ts';
import { FacilitiesProvider, useFacilities, WaitingScreen } from '#/features/facilities/index.ts';
import { Shell } from './shell.tsx';
import { useLiveServices } from './live-services.ts';

/** Frame, queries and the live connection of a signed-in person. */
export function SignedInLayout() {
  const { queryClient, realtime } = useLiveServices();
  const user = useUser();
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ChatRuntimeProvider realtime={realtime}>
          <FacilitiesProvider memberships={user.memberships}>
            <Pages email={user.email} />
          </FacilitiesProvider>
        </ChatRuntimeProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}

function Pages({ email }: { email: string }) {
  const isNewcomer = useFacilities().length === 0;
  return <Shell>{isNewcomer ? <WaitingScreen email={email} /> : <Outlet />}</Shell>;
}
