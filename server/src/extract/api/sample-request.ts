/** A sample request. */
export type SampleRequest = {
  method: string
  /** URL with parameter values, or with parameter names in braces. */
  url: string
  headers: [name: string, value: string][]
  /** Raw text, or form fields. */
  body: { kind: 'text'; text: string } | { kind: 'form'; fields: [name: string, value: string][] } | null
}

/** Renders the request as a curl command, one argument per line. */
export function writeCurl({ method, url, headers, body }: SampleRequest): string {
  const words = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`]
  for (const [name, value] of headers) words.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body?.kind === 'text') words.push(`-d ${quote(body.text)}`)
  if (body?.kind === 'form') for (const [name, value] of body.fields) words.push(`-F ${quote(`${name}=${value}`)}`)
  return words.join(' \\\n  ')
}

/** Quotes for a POSIX shell, where single quotes disable all special characters. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
