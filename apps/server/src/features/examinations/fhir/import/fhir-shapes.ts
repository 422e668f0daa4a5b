import { Instant } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import { FhirDecimal } from '#/platform/fhir/fhir-json.ts';

const List = <Item extends z.ZodMiniType>(item: Item) => z.optional(z.array(item).check(z.maxLength(1000)));
const OptionalText = z.optional(z.string());

const Coding = z.object({ system: OptionalText, code: OptionalText, display: OptionalText });
export const Concept = z.object({ coding: List(Coding), text: OptionalText });
export type Concept = z.infer<typeof Concept>;

const Reference = z.object({ reference: OptionalText, display: OptionalText });
export type Reference = z.infer<typeof Reference>;
const Identifier = z.object({ system: OptionalText, value: OptionalText });
const Annotation = z.object({ text: z.string() });

export const Quantity = z.object({
  value: z.optional(z.instanceof(FhirDecimal)),
  comparator: OptionalText,
  unit: OptionalText,
  system: OptionalText,
  code: OptionalText,
});
export type Quantity = z.infer<typeof Quantity>;

const said = {
  code: Concept,
  valueQuantity: z.optional(Quantity),
  valueRange: z.optional(z.object({ low: Quantity, high: Quantity })),
  valueCodeableConcept: z.optional(Concept),
  valueBoolean: z.optional(z.boolean()),
  valueString: OptionalText,
  valueInteger: z.optional(z.instanceof(FhirDecimal)),
  interpretation: List(Concept),
  referenceRange: List(z.object({ low: z.optional(Quantity), high: z.optional(Quantity) })),
};
/** What an Observation or a part of it says. */
export const Said = z.object(said);
export type Said = z.infer<typeof Said>;

export const Observation = z.object({
  ...said,
  resourceType: z.literal('Observation'),
  status: z.string(),
  subject: z.optional(Reference),
  effectiveDateTime: z.optional(z.string()),
  component: List(Said),
  note: List(Annotation),
});

export const DiagnosticReport = z.object({
  identifier: List(Identifier),
  basedOn: List(Reference),
  status: z.string(),
  category: List(Concept),
  code: Concept,
  subject: z.optional(Reference),
  effectiveDateTime: z.optional(Instant),
  issued: z.optional(Instant),
  performer: List(Reference),
  resultsInterpreter: List(Reference),
  result: List(Reference),
  conclusion: OptionalText,
  presentedForm: List(
    z.object({ contentType: OptionalText, data: OptionalText, title: OptionalText, creation: OptionalText }),
  ),
});
export type DiagnosticReport = z.infer<typeof DiagnosticReport>;

export const ServiceRequest = z.object({
  resourceType: z.literal('ServiceRequest'),
  authoredOn: z.optional(Instant),
  requester: z.optional(Reference),
  orderDetail: List(Concept),
  reasonCode: List(Concept),
});

export const FhirPatient = z.object({
  resourceType: z.literal('Patient'),
  identifier: List(Identifier),
  birthDate: OptionalText,
});
