import type { Context } from 'hono'
import { toDocentError } from '#errors.ts'
import { run } from '#operations/run.ts'
import type { AppDeps } from './app-deps.ts'
import type { Bindings } from './bindings.ts'
import { readVisitor } from './read-visitor.ts'

/** The page loads and runs nothing. The code in its URL is never passed on. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** OAuth callback page. It completes the link for the session that began it, and shows the result in one sentence. */
export async function answerCallback({ operations, mcp, log }: AppDeps, c: Context<Bindings>): Promise<Response> {
  const visitor = readVisitor(c, { baseUrl: operations.baseUrl(), trustedProxies: mcp.trustedProxies })
  // The browser comes from the host's page, so the request is cross-site. `state` proves that the same browser was sent
  // there.
  const call = { deps: operations, authorization: null, visitor: { ...visitor, sender: 'own' as const } }
  const host = c.req.param('host') ?? ''
  const { signal } = c.req.raw
  try {
    await run({ ...call, signal }, 'linkedAccounts.finish', { path: { host }, rest: c.req.query() })
    return c.html(page('The account is linked', `Private repositories of ${host} can be indexed now.`), 200, HEADERS)
  } catch (cause) {
    const error = toDocentError(cause)
    if (error.code === 'internal') log.error({ err: error.cause }, 'a request failed')
    const why = error.code === 'unauthorized' ? 'You are not signed in to Docent in this browser.' : error.message
    return c.html(page('The account was not linked', why), error.status, HEADERS)
  }
}

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Docent</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
<p><a href="/">Back to Docent</a></p>
</html>
`
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
