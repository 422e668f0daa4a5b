/** A line to sign on. */
export function Signatures({ names }: { names: readonly string[] }) {
  return (
    <div className="sheet-signs">
      {names.map((name) => (
        <div key={name} className="sheet-sign">
          {name}
          <span>Name, signature, date and time</span>
        </div>
      ))}
    </div>
  );
}
