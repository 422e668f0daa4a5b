import { statusOf } from '@wardline/client/http/api-error.ts';
import { useRefresh } from '#/features/census/core/changes/summary-queries.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';

/** Sends the answer to a question of a dialog and closes it; where somebody was quicker, what is asked is loaded anew. */
export function useAnswer(facilityId: string, onClose: () => void) {
  const refresh = useRefresh(facilityId);
  return async (done: string, send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      if (statusOf(error) === 409) void refresh();
      throw error;
    }
    sayDone(done);
    onClose();
    await refresh();
  };
}
