/* Before the first paint: the colour mode that was chosen, else the system's. The same rule as packages/ui's colour mode. */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('wardline-color-mode');
  } catch {
    /* storage is closed: the system decides */
  }
  const isFixed = chosen === 'light' || chosen === 'dark';
  const isDark = isFixed ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.mode = isDark ? 'dark' : 'light';
  if (!isFixed) return;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.content = isDark ? '#020618' : '#f8fafc';
})();
