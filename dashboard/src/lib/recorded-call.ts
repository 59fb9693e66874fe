/** The question of a call: its first text argument. */
export function questionIn({ arguments: sent, tool }: { arguments: unknown; tool: string }): string {
  if (typeof sent !== 'object' || sent === null) return tool
  const texts = Object.values(sent).filter((value): value is string => typeof value === 'string' && value !== '')
  return texts[0] ?? (Object.keys(sent).length === 0 ? tool : JSON.stringify(sent))
}

/** True if the log has only a part of the arguments: long texts end with `…`, and large objects are left out. */
export function isCut(recorded: unknown): boolean {
  return /…"|^\{"omitted":/.test(JSON.stringify(recorded))
}
