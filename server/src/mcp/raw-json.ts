/** A value of an answer that is JSON text already. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** JSON of an object whose members may be `RawJson`. Members that are undefined are left out. */
export function stringifyMembers(value: Record<string, unknown>): string {
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    const json = member instanceof RawJson ? member.text : JSON.stringify(member)
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${json}`
  }
  return `{${text}}`
}
