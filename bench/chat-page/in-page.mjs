/* Runs in the page before anything of it: keeps what was slow to answer and what moved by itself. */
let answers = [];
let shift = 0;
new PerformanceObserver((list) => {
  for (const { name, interactionId, duration } of list.getEntries())
    if (interactionId) answers.push({ name, duration });
}).observe({ type: 'event', durationThreshold: 16 });
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    // That the line about the lost network goes moves the whole frame; what counts is what moves within it.
    const isWithin = sources.some(({ node }) => node?.closest?.('[role="log"], ul'));
    if (isWithin && !hadRecentInput) shift += value;
  }
}).observe({ type: 'layout-shift' });

/** What was kept since it was asked last. */
globalThis.takeFigures = () => {
  const taken = { answers, shift };
  answers = [];
  shift = 0;
  return taken;
};
