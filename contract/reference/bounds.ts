/** Size constraints of a value in JSON Schema. */
export type Bounded = {
  type?: string | string[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

/** The bounds of a value in words, such as `1 to 200 characters`; empty if there are none to report. */
export function boundsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, format }: Bounded): string {
  if (format !== undefined) return ''
  return [
    minLength === 1 && maxLength === undefined
      ? 'not empty'
      : between(minLength || undefined, maxLength, ' characters'),
    between(minItems || undefined, maxItems, ' items'),
    between(maximum === undefined ? minimum || undefined : minimum, maximum, ''),
  ]
    .filter(Boolean)
    .join(', ')
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  // zod adds the bounds of safe integers, which are not part of the contract.
  const from = least === Number.MIN_SAFE_INTEGER ? undefined : least
  const to = most === Number.MAX_SAFE_INTEGER ? undefined : most
  if (to === undefined) return from ? `at least ${told(from)}${unit}` : ''
  return from === undefined ? `at most ${told(to)}${unit}` : `${told(from)} to ${told(to)}${unit}`
}

const told = (value: number): string => value.toLocaleString('en')
