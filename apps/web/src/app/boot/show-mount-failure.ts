/**
 * SHELL-5: a plain message with a way to try again, made without anything that may be what failed. A page that was
 * rendered ahead stays below it: it can still be read.
 */
export function showMountFailure(container: HTMLElement): void {
  const message = document.createElement('p');
  message.className = 'mount-failed';
  message.setAttribute('role', 'alert');
  const link = document.createElement('a');
  link.href = location.href;
  link.textContent = 'Load the page again';
  message.append('Wardline could not start. Check the connection. ', link, '.');
  if (container.dataset['path'] === undefined) container.replaceChildren(message);
  else container.prepend(message);
}
