/* Runs in the page before anything of it: notes when the form can be sent, and answers with both times once they are known. */
const observer = new MutationObserver(() => {
  const button = document.querySelector('[type="submit"]');
  if (!button || button.disabled) return;
  observer.disconnect();
  performance.mark('usable');
});
observer.observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });

globalThis.readVisit = () => {
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime;
  const firstPaintMs = at('first-contentful-paint');
  const usableMs = document.querySelector('form') ? at('usable') : firstPaintMs;
  if (document.readyState !== 'complete' || firstPaintMs === undefined || usableMs === undefined) return null;
  return { firstPaintMs: Math.round(firstPaintMs), usableMs: Math.round(usableMs) };
};
