type Compared = { changes: boolean; before: { text: string }; after: { text: string } }

/** The answers to a question before and after a change, for people. */
export function comparedLines(compared: Compared | null): string[] {
  if (compared === null) return []
  const { changes, before, after } = compared
  return changes
    ? ['', 'Before:', before.text, '', 'After:', after.text]
    : ['', 'The answer does not change:', before.text]
}
