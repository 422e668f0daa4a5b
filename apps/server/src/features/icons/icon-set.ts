import * as z from 'zod/mini';
import { isIconName } from './icon-request.ts';
import { isSafeBody } from './safe-body.ts';

const Name = z.string().check(z.refine(isIconName));
const Side = z.number().check(z.gt(0), z.lte(4096));
const Turns = {
  left: z.optional(z.number()),
  top: z.optional(z.number()),
  width: z.optional(Side),
  height: z.optional(Side),
  rotate: z.optional(z.number()),
  hFlip: z.optional(z.boolean()),
  vFlip: z.optional(z.boolean()),
};

/** What draws one icon. */
export const Icon = z.object({ body: z.string().check(z.maxLength(20_000), z.refine(isSafeBody)), ...Turns });
export type Icon = z.infer<typeof Icon>;

/** Another icon's drawing under another name, perhaps turned. */
export const Alias = z.object({ parent: Name, ...Turns });
export type Alias = z.infer<typeof Alias>;

/** The answer to a request for icons, as Iconify's own service gives it. */
export interface IconSet {
  readonly prefix: string;
  readonly icons: Readonly<Record<string, Icon>>;
  readonly aliases?: Readonly<Record<string, Alias>>;
  readonly width?: number;
  readonly height?: number;
  readonly not_found?: readonly string[];
}
