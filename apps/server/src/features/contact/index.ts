// The contact form: a message of anybody, signed in or not, on its way to the operator of this installation.
import * as contract from '@wardline/contract/account/account.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import { publicRoute, type Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { createContactLimits } from './contact-limits.ts';
import { CONTACT_MESSAGE, mailContactMessage } from './contact-message.ts';
import { contactOperator } from './contact-operator.ts';

export interface ContactDeps {
  readonly mailer: Mailer;
  readonly operatorEmail: string | null;
  readonly productName: string;
  readonly createCounter: CreateCounter;
}

export interface ContactFeature {
  readonly routes: Route[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
}

export function contactFeature(deps: ContactDeps): ContactFeature {
  const { operatorEmail } = deps;
  const verb = contactOperator({ operatorEmail, takeMessage: createContactLimits(deps.createCounter) });
  return {
    routes: [publicRoute(contract.contactOperator, verb)],
    jobHandlers: { [CONTACT_MESSAGE]: mailContactMessage(deps) },
  };
}
