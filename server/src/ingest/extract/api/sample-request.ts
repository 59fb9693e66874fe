/** What a sample request is made of. */
export type SampleRequest = {
  method: string
  /** With the values of its parameters, or the names in braces. */
  url: string
  headers: [name: string, value: string][]
  /** Sent as it stands, or as fields of a form. */
  body: { kind: 'text'; text: string } | { kind: 'form'; fields: [name: string, value: string][] } | null
}

/** The request as a command for curl, one argument a line. */
export function writeCurl({ method, url, headers, body }: SampleRequest): string {
  const words = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`]
  for (const [name, value] of headers) words.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body?.kind === 'text') words.push(`-d ${quote(body.text)}`)
  if (body?.kind === 'form') for (const [name, value] of body.fields) words.push(`-F ${quote(`${name}=${value}`)}`)
  return words.join(' \\\n  ')
}

/** For a POSIX shell: nothing is special between single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
