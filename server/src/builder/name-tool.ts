import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'

/** Characters of a tool name: clients add long prefixes to a limit of 64. */
const MOST_CHARACTERS = 21

/** A name from words, the most telling first. Whole words only: what does not fit is left out. */
export function nameTool(words: readonly string[], givenName: string | null): string {
  if (givenName !== null && givenName.length <= MOST_CHARACTERS) return own(givenName)
  const parts = [...new Set(words.flatMap((word) => word.split('_')))].filter(
    (part) => /^[a-z][a-z0-9]*$/.test(part) && !/\d/.test(part),
  )
  let name = ''
  for (const part of parts) {
    const longer = name === '' ? part : `${name}_${part}`
    if (longer.length > MOST_CHARACTERS) break
    name = longer
  }
  return own(name.length < 2 ? 'look_up' : name)
}

function own(name: string): string {
  return isBuiltIn(name) ? `my_${name}`.slice(0, MOST_CHARACTERS).replace(/_$/, '') : name
}

/** A name that is not taken yet. Adds a number, and leaves out words for it. */
export function untakenName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name) && !isBuiltIn(name)) return name
  for (let number = 2; ; number++) {
    const room = MOST_CHARACTERS - String(number).length - 1
    const short = name.length <= room ? name : name.slice(0, name.lastIndexOf('_', room))
    const tried = `${short.length > 1 && short.length <= room ? short : name.slice(0, room)}_${number}`
    if (!taken.has(tried)) return tried
  }
}

function isBuiltIn(name: string): boolean {
  return BUILT_IN_TOOLS.some((tool) => tool.name === name)
}
