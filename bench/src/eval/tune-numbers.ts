import type { Weights } from '@docent/server/search/weights.ts'

type Tree = { readonly [name: string]: number | Tree }

/** Paths of all numbers, such as `page.b.title`. */
export function listNumbers(weights: Weights): string[] {
  const list = (tree: Tree, prefix: string): string[] =>
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === 'number' ? [`${prefix}${name}`] : list(value, `${prefix}${name}.`),
    )
  return list(weights, '')
}

export function readNumber(weights: Weights, path: string): number {
  let at: number | Tree | undefined = weights
  for (const name of path.split('.')) at = typeof at === 'object' ? at[name] : undefined
  if (typeof at !== 'number') throw new RangeError(`Weights have no number ${path}.`)
  return at
}

/** A copy with one number replaced. */
export function withNumber(weights: Weights, path: string, value: number): Weights {
  const replace = (tree: Tree, [name = '', ...rest]: string[]): Tree => {
    const inner = tree[name]
    return { ...tree, [name]: typeof inner === 'object' ? replace(inner, rest) : value }
  }
  // The copy has the shape of the given weights.
  return replace(weights, path.split('.')) as Weights
}
