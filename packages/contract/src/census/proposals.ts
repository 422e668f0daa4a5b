import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';
import { Population } from './census.ts';
import { ProposedCount } from './unit.ts';

/** Open; both say the same again; the report was corrected to it; somebody said why not. */
export const PROPOSAL_STATES = ['open', 'agreed', 'taken', 'dismissed'] as const;
export const ProposalState = z.enum(PROPOSAL_STATES);
export type ProposalState = z.infer<typeof ProposalState>;

/** A proposed correction: what the patient system says, since it was signed, of a report that says something else. */
export const Proposal = z.object({
  id: Id,
  unit_id: Id,
  unit_code: z.string(),
  unit_name: z.string(),
  census_date: Day,
  population: Population,
  /** What differs, in the order of the report; never empty. */
  counts: z.array(ProposedCount),
  state: ProposalState,
  /** Raised by each event that changes what it says. */
  version: z.int(),
  /** When the first and the newest of its events came. */
  raised_at: Instant,
  told_at: Instant,
  closed_at: z.nullable(Instant),
  /** Null where it closed by itself. */
  closed_by: z.nullable(z.object({ id: Id, name: z.string() })),
  /** Why it was not taken. */
  reason: z.nullable(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

const base = '/api/census/facilities/{facility}/proposals';

export const listProposals = endpoint({
  name: 'listProposals',
  summary: 'The proposed corrections of a facility in one state (open unless said otherwise), the newest first.',
  method: 'GET',
  path: base,
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: z.strictObject({
    state: z.optional(ProposalState),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: z.object({
    ...Page(Proposal).shape,
    /** To correct one is to reopen its day. */
    may: z.object({ correct: z.boolean(), dismiss: z.boolean() }),
  }),
});

export const dismissProposal = endpoint({
  name: 'dismissProposal',
  summary: 'Leaves a signed report as it is, with a reason. 409 when the patient system has said something else since.',
  method: 'POST',
  path: `${base}/{proposal}/dismiss`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, proposal: Id }),
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: z.int().check(z.gte(1)), reason: Text(0, 500) }),
  status: 200,
  reply: Proposal,
});

export const censusProposalEndpoints = [listProposals, dismissProposal] as const;
