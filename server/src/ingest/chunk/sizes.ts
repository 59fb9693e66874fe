/**
 * Sizes of passages in UTF-16 units. An answer of five passages has at most 6 kB, so the usual passage has to stay near
 * 1 kB; below some 300 characters a passage says little by itself, so that only a section that ends makes one so short;
 * and longer ones than 2,000 push the others out of the answer.
 */
export const SIZES = {
  /** A passage shorter than this takes in what follows in its section. */
  least: 350,
  /** A passage is closed rather than grown beyond this. */
  usual: 1_000,
  /** The rest of a section may stretch its last passage this far. */
  stretched: 1_400,
  /** A line up to this long that stands right before code or a table introduces it. */
  lead: 200,
  /** No passage is longer; a code fence or table that is, is divided. */
  most: 2_000,
} as const
