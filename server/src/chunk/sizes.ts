/**
 * Sizes of passages in UTF-16 units. An answer has five passages in at most 6 kB, so the usual passage must stay near 1
 * kB. Below some 300 characters a passage says little by itself, so only the end of a section makes one this short.
 * Passages over 2,000 would crowd others out of the answer.
 */
export const SIZES = {
  /** A shorter passage absorbs the following text of its section. */
  least: 350,
  /** A passage closes before it would grow beyond this. */
  usual: 1_000,
  /** The rest of a section may extend its last passage to this. */
  stretched: 1_400,
  /** Maximum length of a line that introduces the code or table right after it. */
  lead: 200,
  /** No passage is longer; larger code fences and tables are split. */
  most: 2_000,
} as const
