/** A value that is already serialized as JSON. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Serializes an object whose members may be `RawJson`. Omits undefined members. */
export function stringifyMembers(value: Record<string, unknown>): string {
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    const json = member instanceof RawJson ? member.text : JSON.stringify(member)
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${json}`
  }
  return `{${text}}`
}
