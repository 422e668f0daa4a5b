/** SHELL-5: a plain message with a way to try again, made without anything that may be what failed. */
export function showMountFailure(container: HTMLElement): void {
  const message = document.createElement('p');
  message.className = 'mount-failed';
  message.setAttribute('role', 'alert');
  const link = document.createElement('a');
  link.href = location.href;
  link.textContent = 'Load the page again';
  message.append('Wardline could not start. Check the connection. ', link, '.');
  container.replaceChildren(message);
}
