import * as z from 'zod/mini';
import { Id } from '../values.ts';

export const RegionShape = z.enum(['rectangle', 'ellipse', 'point']);
export type RegionShape = z.infer<typeof RegionShape>;

/** As many places a finding points to. */
export const REGIONS_MAX = 8;

/** A share of the picture's width or height. */
const Share = z.number().check(z.gte(0), z.lte(1));

/** A place on a picture of the chat: the box around it, from the upper left corner; a point has neither width nor height. */
export const Region = z.strictObject({
  attachment_id: Id,
  shape: RegionShape,
  x: Share,
  y: Share,
  width: Share,
  height: Share,
  /** Of a picture with several, which one, from 0. */
  frame: z.optional(z.int().check(z.gte(0), z.lte(99_999))),
});
export type Region = z.infer<typeof Region>;
