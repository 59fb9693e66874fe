/** Maximum answer length, whatever a source contains. Clients refuse texts of 100,000 characters and more. */
const HARD_CAP = 60_000

const TRUNCATED = '\n\n(cut here; open the source for the rest)'

/**
 * The leading blocks that fit into `bytes` of UTF-8, with blank lines between. The first is always complete, up to the
 * hard cap.
 */
export function packBlocks(blocks: readonly string[], bytes: number): string[] {
  const packed: string[] = []
  let used = 0
  for (const block of blocks) {
    used += Buffer.byteLength(block) + 2
    if (packed.length > 0 && used > bytes) break
    packed.push(block.length > HARD_CAP ? block.slice(0, HARD_CAP).toWellFormed() + TRUNCATED : block)
  }
  return packed
}
