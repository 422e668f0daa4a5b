/** What is different or to know, a line each. */
export function Sentences({ of: sentences }: { readonly of: readonly string[] }) {
  if (sentences.length === 0) return <p className="muted">Nothing is different.</p>;
  return (
    <ul className="form-sentences">
      {sentences.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
