/** The roles of the product's tokens that the page uses; a test compares them with packages/ui/src/tokens.css. */
export const MAILBOX_ROLES = {
  light: {
    page: '#f8fafc',
    surface: '#ffffff',
    hover: '#f1f5f9',
    line: '#e2e8f0',
    text: '#314158',
    strong: '#0f172b',
    muted: '#62748e',
    'muted-soft': '#45556c',
    'primary-text': '#7008e7',
    focus: '#7f22fe',
  },
  dark: {
    page: '#020618',
    surface: '#0f172b',
    hover: '#1d293d',
    line: '#1d293d',
    text: '#e2e8f0',
    strong: '#ffffff',
    muted: '#90a1b9',
    'muted-soft': '#cad5e2',
    'primary-text': '#c4b4ff',
    focus: '#c4b4ff',
  },
} as const;

function declarations(roles: Readonly<Record<string, string>>): string {
  return Object.entries(roles)
    .map(([role, colour]) => `--${role}:${colour};`)
    .join('');
}

export const MAILBOX_STYLE = `
:root{color-scheme:light;${declarations(MAILBOX_ROLES.light)}}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;${declarations(MAILBOX_ROLES.dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:400 0.875rem/1.25rem "Inter Variable",Inter,system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:32px 24px}
h1{margin:0;color:var(--strong);font-size:1.25rem;line-height:1.75rem;font-weight:600;letter-spacing:-0.014em;overflow-wrap:anywhere}
a{color:var(--primary-text)}
a:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:6px}
.note{margin:4px 0 16px;color:var(--muted)}
.card{margin:0;padding:0;background:var(--surface);border:1px solid var(--line);border-radius:10px;list-style:none;overflow:hidden}
.empty{padding:32px 24px;color:var(--muted);text-align:center}
li+li{border-top:1px solid var(--line)}
.row{display:grid;grid-template-columns:1fr auto;gap:2px 16px;padding:12px 16px;color:inherit;text-decoration:none}
.row:hover{background:var(--hover);--muted:var(--muted-soft)}
.row:focus-visible{outline-offset:-2px;border-radius:10px}
.subject{color:var(--strong);font-weight:500;overflow-wrap:anywhere}
.to{grid-row:2;color:var(--muted);overflow-wrap:anywhere}
time{color:var(--muted);font-variant-numeric:tabular-nums lining-nums;white-space:nowrap}
.mail{padding:24px}
.back{display:inline-flex;align-items:center;min-height:32px;margin-bottom:8px}
dl{margin:16px 0;padding:0 0 16px;border-bottom:1px solid var(--line)}
dl div{display:flex;gap:16px}
dt{flex:0 0 4.5rem;color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
dd time{color:inherit}
.text{white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5rem}
@media (max-width:767px),(pointer:coarse){.back{min-height:44px}}
@media (max-width:767px){main{padding:16px}.mail{padding:16px}.row{grid-template-columns:1fr}.to{grid-row:auto}}
`;
