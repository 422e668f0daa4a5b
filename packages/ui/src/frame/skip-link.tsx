export const MAIN_ID = 'main';

/** The first stop of the keyboard: over the navigation, straight to the page. */
export function SkipLink({ label = 'Skip to content' }: { label?: string | undefined }) {
  return (
    <a
      className="skip"
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        const main = document.getElementById(MAIN_ID);
        if (!main) return;
        // Focus by hand: a router may answer the address itself and leave the focus behind.
        event.preventDefault();
        main.focus();
        main.scrollIntoView();
      }}
    >
      {label}
    </a>
  );
}
