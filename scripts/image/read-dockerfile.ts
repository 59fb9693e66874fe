/** One instruction of a Dockerfile, with continued lines joined. */
export type Instruction = { name: string; args: string }

/** A stage: its base image after substitution of `ARG`s, its name if it has one, and its instructions. */
export type Stage = { from: string; name: string | null; instructions: Instruction[] }

/** Reads the stages of a Dockerfile. Supports what ours uses: no heredocs, and `ARG` before the first stage only. */
export function readDockerfile(text: string): Stage[] {
  const variables = new Map<string, string>()
  const stages: Stage[] = []
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
  for (const line of lines.join('\n').replaceAll('\\\n', ' ').split('\n')) {
    const [name = '', ...words] = line.trim().split(/\s+/)
    const args = words.join(' ')
    const stage = stages.at(-1)
    if (name === 'FROM') {
      const [image = '', as, alias] = words
      const from = image.replaceAll(/\$\{([A-Z]+)\}/g, (_, variable: string) => variables.get(variable) ?? '')
      stages.push({ from, name: as === 'AS' ? (alias ?? null) : null, instructions: [] })
    } else if (stage) {
      if (name !== '') stage.instructions.push({ name, args })
    } else if (name === 'ARG') {
      const [variable = '', value = ''] = args.split('=')
      variables.set(variable, value)
    }
  }
  return stages
}

/** Sources and destination of a `COPY` from the build context. Null if it copies from another stage. */
export function readCopy({ name, args }: Instruction): { sources: string[]; to: string } | null {
  if (name !== 'COPY' || args.startsWith('--from=')) return null
  const words = args.split(' ')
  return { sources: words.slice(0, -1), to: words.at(-1) ?? '' }
}

/** The variables of `ENV` instructions. */
export function readEnv({ instructions }: Stage): Record<string, string> {
  const pairs = instructions.filter(({ name }) => name === 'ENV').flatMap(({ args }) => args.split(' '))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}
