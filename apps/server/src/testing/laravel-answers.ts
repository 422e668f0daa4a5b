/** What of an answer a client goes by. */
export interface LaravelAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which of its two cookies come with it, and whether the session is remembered. */
  readonly cookies?: 'both' | 'session' | 'remembered';
  /** The JSON; `page` where it is one of HTML. */
  readonly body?: Readonly<Record<string, unknown>> | 'page';
}

const NO_MATCH = 'These credentials do not match our records.';
const wrongCredentials = { message: NO_MATCH, errors: { email: [NO_MATCH] } };
const bothRequired = {
  message: 'The email field is required. (and 1 more error)',
  errors: { email: ['The email field is required.'], password: ['The password field is required.'] },
};
const unauthenticated = { message: 'Unauthenticated.' };
const mismatch = { message: 'CSRF token mismatch.' };
const toSignIn = { status: 302, headers: { location: '/login' }, body: 'page' } as const;
const toDashboard = { status: 302, headers: { location: '/dashboard' }, cookies: 'both', body: 'page' } as const;
const user = { status: 200, body: { name: 'Bo Lind', email: 'bo@ward.test', is_operator: false } } as const;
const fresh: LaravelAnswer = { status: 204, cookies: 'both' };
const noToken: LaravelAnswer = { status: 419, cookies: 'session', body: mismatch };
const denied: LaravelAnswer = { status: 403, body: { message: '' } };

/**
 * Recorded from Laravel 11 with Sanctum 4 and the Breeze API controllers, asked from a stateful origin. Locations are shown
 * without their origin, cookies without their values: XSRF-TOKEN (2 h, lax, readable) and the session's (lax, HttpOnly).
 */
export const LARAVEL_ANSWERS = {
  'csrf-cookie': fresh,
  'csrf-cookie HEAD': fresh,
  'csrf-cookie foreign origin': fresh,
  'login no csrf': noToken,
  'login no csrf, Accept html form': { ...noToken, body: 'page' },
  'login wrong creds': { status: 422, cookies: 'both', body: wrongCredentials },
  'login empty': { status: 422, cookies: 'both', body: bothRequired },
  'login bad email + no pw': {
    status: 422,
    cookies: 'both',
    body: {
      message: 'The email field must be a valid email address. (and 1 more error)',
      errors: {
        email: ['The email field must be a valid email address.'],
        password: ['The password field is required.'],
      },
    },
  },
  'login unknown extra key (device_name)': noToken,
  'login remember "on" (form-ish)': { status: 204, cookies: 'remembered' },
  'login remember 1': { status: 204, cookies: 'remembered' },
  'login remember null': fresh,
  'login form-urlencoded, _token header': fresh,
  'login multipart FormData (axios/ofetch FormData)': fresh,
  'login X-CSRF-TOKEN header instead (plain)': noToken,
  'login ok': fresh,
  'login text/plain content-type': { status: 422, cookies: 'both', body: bothRequired },
  'login malformed JSON': { status: 422, cookies: 'both', body: bothRequired },
  'login empty body json ct': { status: 422, cookies: 'both', body: bothRequired },
  'login again while signed in': toDashboard,
  '/api/user no session json': { status: 401, body: unauthenticated },
  '/api/user no session */*': toSignIn,
  '/api/user no session html': toSignIn,
  '/api/user html + X-Requested-With': toSignIn,
  '/api/user accept vnd.api+json': { status: 401, body: unauthenticated },
  '/api/user session': { ...user, cookies: 'both' },
  '/api/user HEAD': { status: 200, cookies: 'both' },
  '/api/user trailing slash': { ...user, cookies: 'both' },
  '/api/user OPTIONS no origin': { status: 200, headers: { allow: 'GET, HEAD' } },
  '/api/user PUT (405?)': {
    status: 405,
    headers: { allow: 'GET, HEAD' },
    body: { message: 'The POST method is not supported for route api/user. Supported methods: GET, HEAD.' },
  },
  '/api/nope 404': { status: 404, body: { message: 'The route api/nope could not be found.' } },
  '/api/nope 404 html': { status: 404, body: 'page' },
  'GET /login': {
    status: 405,
    headers: { allow: 'POST' },
    body: { message: 'The GET method is not supported for route login. Supported methods: POST.' },
  },
  'logout ok': fresh,
  'logout without body/ct (axios.post(url))': fresh,
  'logout ct json empty body': fresh,
  'logout ct urlencoded empty (axios default)': fresh,
  'logout guest json': { status: 401, cookies: 'both', body: unauthenticated },
  'logout guest html': { ...toSignIn, cookies: 'both' },
  'old cookie after logout': { status: 401, cookies: 'both', body: unauthenticated },
  '419 wrong token': noToken,
  'dead session + stale token POST': noToken,
  'api POST from session without csrf': noToken,
  'token create': {
    status: 200,
    headers: { 'x-ratelimit-limit': '6', 'x-ratelimit-remaining': '5' },
    body: { token: '{token}' },
  },
  'token create wrong': {
    status: 422,
    headers: { 'x-ratelimit-limit': '6', 'x-ratelimit-remaining': '5' },
    body: wrongCredentials,
  },
  'bearer user': user,
  'bearer lower-case scheme': user,
  'bearer junk': { status: 401, body: unauthenticated },
  'bearer id|junk': { status: 401, body: unauthenticated },
  'bearer from stateful origin POST no csrf': noToken,
  'bearer + junk session cookie': user,
  'broadcasting denied': denied,
  'broadcasting form-urlencoded (pusher-js)': { status: 403, body: 'page' },
  'broadcasting no auth': { status: 401, body: unauthenticated },
  'broadcasting missing channel': denied,
  'broadcasting bad socket id': denied,
  'broadcasting extra key': denied,
  'broadcasting GET': denied,
  'forgot unknown': {
    status: 422,
    cookies: 'both',
    body: {
      message: "We can't find a user with that email address.",
      errors: { email: ["We can't find a user with that email address."] },
    },
  },
  'forgot known': { status: 200, cookies: 'both', body: { status: 'We have emailed your password reset link.' } },
  'reset bad token': {
    status: 422,
    cookies: 'both',
    body: {
      message: 'This password reset token is invalid.',
      errors: { email: ['This password reset token is invalid.'] },
    },
  },
  'register invalid': {
    status: 422,
    cookies: 'both',
    body: {
      message: 'The name field is required. (and 3 more errors)',
      errors: {
        name: ['The name field is required.'],
        email: ['The email field must be a valid email address.'],
      },
    },
  },
  'resend verification guest': { status: 401, cookies: 'both', body: unauthenticated },
  'resend verification verified user': {
    ...toDashboard,
    headers: { location: '/dashboard', 'x-ratelimit-limit': '6', 'x-ratelimit-remaining': '5' },
  },
  'preflight allowed': {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,x-xsrf-token',
      'access-control-max-age': '0',
    },
  },
  'preflight foreign': { status: 204 },
  'POST from foreign origin with valid csrf+cookie': fresh,
} as const satisfies Readonly<Record<string, LaravelAnswer>>;

export type LaravelCase = keyof typeof LARAVEL_ANSWERS;
