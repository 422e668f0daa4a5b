/** Keys and presses that must reach nothing behind the cover: what is open there stays as it was left. */
const KEPT_OUT = [
  ...['keydown', 'keyup', 'keypress', 'pointerdown', 'pointerup', 'mousedown', 'mouseup'],
  ...['touchstart', 'touchend', 'focusin', 'focusout', 'wheel'],
];

interface HiddenPage {
  /** Where the cover is drawn. */
  readonly host: HTMLElement;
  show(): void;
}

/**
 * Takes the page out of the document, dialogs included, and keeps it as it is: what was typed stays where it was typed, for who
 * opens it again. What the page draws into the body meanwhile lands beside it.
 */
export function hidePage(title: string): HiddenPage {
  const { body } = document;
  const shelf = document.createElement('div');
  const places = [...body.querySelectorAll('*')].filter(({ scrollTop, scrollLeft }) => scrollTop > 0 || scrollLeft > 0);
  const scrolled = places.map((place) => ({ place, top: place.scrollTop, left: place.scrollLeft }));
  const page = { top: window.scrollY, left: window.scrollX };
  const focused = document.activeElement;
  const host = document.createElement('div');
  host.className = 'lock-cover';
  shelf.append(...body.childNodes);
  body.append(host);
  const endShelf = drawInto(shelf, body);
  const endTitle = keepTitle(title);
  const endKeys = keepOut();
  const endFocus = lookAway();
  return {
    host,
    show() {
      for (const end of [endFocus, endKeys, endTitle, endShelf]) end();
      host.remove();
      body.prepend(...shelf.childNodes);
      for (const { place, top, left } of scrolled) place.scrollTo({ top, left, behavior: 'instant' });
      window.scrollTo({ ...page, behavior: 'instant' });
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    },
  };
}

/** What React and its dialogs put into the body or take from it is on the shelf. */
function drawInto(shelf: HTMLElement, body: HTMLElement): () => void {
  const own = {
    appendChild: <T extends Node>(node: T): T => shelf.appendChild(node),
    insertBefore: <T extends Node>(node: T, before: Node | null): T =>
      shelf.insertBefore(node, before?.parentNode === shelf ? before : null),
    removeChild: <T extends Node>(node: T): T => (node.parentNode ?? shelf).removeChild(node),
    insertAdjacentElement: (where: InsertPosition, node: Element) => shelf.insertAdjacentElement(where, node),
  };
  Object.assign(body, own);
  return () => {
    for (const name of Object.keys(own)) Reflect.deleteProperty(body, name);
  };
}

/** Pages name patients in their titles; the one that they want by then is there again afterwards. */
function keepTitle(title: string): () => void {
  let wanted = document.title;
  const hold = () => {
    if (document.title === title) return;
    wanted = document.title;
    document.title = title;
  };
  const observer = new MutationObserver(hold);
  observer.observe(document.head, { subtree: true, childList: true, characterData: true });
  hold();
  return () => {
    observer.disconnect();
    document.title = wanted;
  };
}

function keepOut(): () => void {
  const stop = (event: Event) => event.stopImmediatePropagation();
  for (const name of KEPT_OUT) window.addEventListener(name, stop, { capture: true });
  return () => {
    for (const name of KEPT_OUT) window.removeEventListener(name, stop, { capture: true });
  };
}

/** Nobody reads what arrives behind the cover: to the page it is as if its window were not looked at. */
function lookAway(): () => void {
  document.hasFocus = () => false;
  window.dispatchEvent(new Event('blur'));
  return () => {
    Reflect.deleteProperty(document, 'hasFocus');
    window.dispatchEvent(new Event('focus'));
  };
}
