import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The forms of a facility, for who manages it. Marked as pure, so that no chat has it: both come by one door. */
export const FormsScreen = /* @__PURE__ */ lazyPart(
  async () => (await import('#/features/examinations/forms/forms-screen.tsx')).FormsScreen,
  { onMissing: () => undefined },
);
