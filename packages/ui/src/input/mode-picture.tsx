export type ModePictureProps = { mode: 'system' | 'light' | 'dark' };

/** A page in small, as it looks in a mode; for `RadioCards`. */
export function ModePicture({ mode }: ModePictureProps) {
  return (
    <span className="mode-picture" data-mode={mode === 'dark' ? 'dark' : 'light'}>
      <Page />
      {mode === 'system' && (
        <span className="mode-picture is-half" data-mode="dark">
          <Page />
        </span>
      )}
    </span>
  );
}

function Page() {
  return (
    <>
      <i className="mode-rail" />
      <i className="mode-card" />
      <i className="mode-line" />
      <i className="mode-line is-primary" />
    </>
  );
}
