import { statusOf } from '@wardline/client/http/api-error.ts';

/**
 * The answer to what was saved. Where somebody else saved in between (409), what stands there now is loaded before the refusal is told:
 * what was typed stays, and the next try is made over it.
 */
export async function loadAnewOnConflict<Answer>(
  saving: Promise<Answer>,
  load: () => Promise<unknown>,
): Promise<Answer> {
  try {
    return await saving;
  } catch (failure) {
    if (statusOf(failure) === 409) await load();
    throw failure;
  }
}
