/* Before the first paint: the colour mode that was chosen, else the system's, by the same rule as packages/ui's colour
   mode; whether somebody may be signed in here, so that a page for guests waits and the shell shows the frame; whether a
   mailed link has led here, whose notice needs room; whether passkeys can't be used at this address, so that no button of
   theirs goes again (shared/forms/passkey-address.ts reads it); and a word where the app's own script cannot be loaded (SHELL-5),
   which nothing else could say. */
(() => {
  const root = document.documentElement;
  if (!isSecureContext || !/^[^[]*[a-z]/i.test(location.hostname)) root.dataset.passkeys = 'none';
  let chosen = null;
  try {
    chosen = localStorage.getItem('wardline-color-mode');
    if (localStorage.getItem('wardline-device-owner') !== null) root.dataset.owner = '';
    if (location.pathname.startsWith('/chat/')) root.dataset.boot = 'slim';
    const [, notice] = /[?&#](verify|link|sso)=/.exec(location.href) ?? [];
    if (notice) root.dataset.notice = notice;
  } catch {
    /* storage is closed: the system decides, and nobody is known */
  }
  const isFixed = chosen === 'light' || chosen === 'dark';
  const isDark = isFixed ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.mode = isDark ? 'dark' : 'light';
  if (isFixed)
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.content = isDark ? '#020618' : '#f8fafc';

  const sayThatItFailed = ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return;
    // biome-ignore lint/suspicious/noConsole: the log is in the script that is missing
    console.error('Error while mounting app:', target.src);
    delete root.dataset.owner;
    const link = Object.assign(document.createElement('a'), {
      href: location.href,
      textContent: 'Load the page again',
    });
    const message = Object.assign(document.createElement('p'), { className: 'mount-failed', role: 'alert' });
    message.append('Wardline could not start. Check the connection. ', link, '.');
    document.body.prepend(message);
  };
  addEventListener('error', sayThatItFailed, true);
})();
