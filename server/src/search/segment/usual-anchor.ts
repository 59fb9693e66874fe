/** The default fragment of most generators for the innermost heading. Default anchors need not be stored. */
export function usualAnchor(headings: readonly string[]): string {
  return (headings.at(-1) ?? '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
