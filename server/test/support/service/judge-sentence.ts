import type { Docent } from './harness.ts'

/** A request for a tool, with the values that a client gives it, and what its result must and must not have. */
export type Sentence = {
  sentence: string
  /** In the order of the arguments. Absent for a request that must be refused. */
  args?: string[]
  has?: string[]
  lacks?: string[]
  /** Label of the only source that may be cited. */
  only?: string
  /** Part of the path of every citation, and parts, separated by `|`, of none. */
  path?: string
  notPath?: string
  /** True if the owner's words must go with the result. */
  instruction?: boolean
  /** Alternatives of which the refusal has one, separated by `|`. */
  refused?: string
}

export type Verdict = { problems: string[]; events: { type: string; message?: string }[]; tool: any; text: string }

type Served = {
  docent: Docent
  server: { slug: string; detail: { sources: { id: string; label: string; url: string }[] } }
}

/** Builds the tool of a sentence, adds it to the server, calls it and compares the result with what it must be. */
export async function judgeSentence({ docent, server }: Served, expected: Sentence): Promise<Verdict> {
  const { slug, detail } = server
  const sources = detail.sources.map(({ url }) => ({ url }))
  const { text: stream } = await docent.request('POST', '/api/custom-tools', { prompt: expected.sentence, sources })
  const events = stream
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { tool, message = '' } = events.at(-1)
  if (tool === undefined) {
    const isExpected =
      expected.refused?.split('|').some((part) => message.toLowerCase().includes(part.toLowerCase())) ?? false
    return { problems: isExpected ? [] : [`refused: ${message}`], events, tool, text: '' }
  }
  if (expected.refused !== undefined) return { problems: ['built, but must be refused'], events, tool, text: '' }
  const change = (tools: string[]) => docent.request('PATCH', `/api/mcp/${slug}/tools`, { tools })
  await change(['search_docs', 'ask_question', `custom:${tool.id}`])
  const { properties, required = [] } = tool.inputSchema
  const names: string[] = [...new Set([...required, ...Object.keys(properties)])]
  const given = Object.fromEntries((expected.args ?? []).map((value, at) => [names[at] ?? 'none', value]))
  const { result, error } = await docent.callTool(slug, tool.name, given)
  await change(['search_docs', 'ask_question', 'get_quickstart'])
  await docent.request('DELETE', `/api/custom-tools/${tool.id}`)
  const text: string = result?.content?.[0]?.text ?? error?.message ?? ''
  // The owner's words are no retrieval.
  const [found = ''] = text.split('\n[owner] ')
  const cited = [...found.matchAll(/^Source: (\S+)$/gm)].map(([, url = '']) => url)
  const own = detail.sources.find(({ label }) => label === expected.only)
  const host = (url: string) => URL.parse(url)?.host
  const problems = [
    ...(error === undefined ? [] : [`failed: ${error.message}`]),
    ...(expected.has ?? []).filter((part) => !found.includes(part)).map((part) => `lacks ${part}`),
    ...(expected.lacks ?? []).filter((part) => found.includes(part)).map((part) => `has ${part}`),
    ...cited.filter(
      (url) =>
        own !== undefined && (host(url) !== host(own.url) || (own.url.endsWith('.pdf') && !url.includes('.pdf'))),
    ),
    ...cited.filter((url) => expected.path !== undefined && !url.includes(expected.path)),
    ...cited.filter((url) => expected.notPath?.split('|').some((part) => url.includes(part)) ?? false),
    ...(expected.instruction === true && !text.includes('[owner] ') ? ['lacks the owner’s words'] : []),
  ]
  return { problems, events, tool, text }
}
