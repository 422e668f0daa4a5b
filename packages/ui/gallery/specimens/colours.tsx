import { every, type Specimen } from '../specimen.ts';

const ROLES = [
  'page',
  'surface',
  'elevated',
  'sunken',
  'hover',
  'selected',
  'own',
  'line',
  'line-strong',
  'field-line',
  'muted',
  'text',
  'strong',
  'primary',
  'primary-solid',
  'primary-soft',
  'secondary',
  'success',
  'success-soft',
  'info',
  'info-soft',
  'warning',
  'warning-soft',
  'error',
  'error-soft',
  'cmp-a',
  'cmp-b',
  'focus',
];

const SHADED = every<'primary' | 'secondary' | 'success' | 'info' | 'warning' | 'error' | 'neutral'>({
  primary: true,
  secondary: true,
  success: true,
  info: true,
  warning: true,
  error: true,
  neutral: true,
});
const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950];

function Roles() {
  return (
    <ul className="g-swatches">
      {ROLES.map((role) => (
        <li key={role}>
          <i style={{ background: `var(--${role})` }} />
          {role}
        </li>
      ))}
    </ul>
  );
}

function Shades() {
  return (
    <ul className="g-shades">
      {SHADED.map((colour) => (
        <li key={colour}>
          <span>{colour}</span>
          {SHADES.map((shade) => (
            <i key={shade} title={`${colour} ${shade}`} style={{ background: `var(--${colour}-${shade})` }} />
          ))}
          <i title={`the working shade of ${colour}`} style={{ background: `var(--ui-${colour})` }} />
        </li>
      ))}
    </ul>
  );
}

function Type() {
  return (
    <div className="stack">
      <p className="t30 semi strong">Census, Thu 19 Nov</p>
      <p className="t24 semi strong">Closing 22 = counted 22</p>
      <p className="t20 semi strong">7 of 8 units in, 1 late, ICU missing</p>
      <p className="t16 medium strong">K 6.8 mmol/L, confirmed, not haemolysed.</p>
      <p>14 is the base. A message line holds at most 72 characters.</p>
      <p className="t13 muted">13 for second lines and tables</p>
      <p className="t12 muted num">12 for times: 00:38 · 11:11 · 20:08</p>
    </div>
  );
}

export const specimen: Specimen = {
  id: 'colours',
  title: 'Type and colour',
  group: 'Foundations',
  cases: [
    { name: 'Type', Show: Type },
    { name: 'Roles: what components use', Show: Roles },
    { name: 'Shades 50 to 950, and the working shade', Show: Shades },
  ],
};
