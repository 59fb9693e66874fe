import { type Site, startSite } from './site.ts'

/** The only token that the fake GitHub accepts. */
export const GITHUB_TOKEN = 'ghp_canary0123456789abcdefghij'

/** A server with the parts of GitHub's REST API that the service uses, and repositories of `acme`. */
export async function startGithubApi(): Promise<Site> {
  const json = (status: number, body: object, headers: Record<string, string> = {}) =>
    ((request, response) => {
      const token = request.headers.authorization
      const isKnown = token === `Bearer ${GITHUB_TOKEN}`
      const send = (code: number, answer: object) =>
        void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
      if (token && !isKnown) return send(401, { message: 'Bad credentials' })
      if (status === 404 && isKnown && 'private' in body) return send(200, body)
      return send(status, status === 200 ? body : { message: 'Not Found' })
    }) satisfies Parameters<typeof startSite>[0][string]
  return startSite({
    '/repos/acme/public': json(200, { private: false, full_name: 'acme/public' }),
    // As on GitHub, an unauthorised caller cannot tell that it exists.
    '/repos/acme/secret': json(404, { private: true, full_name: 'acme/secret' }),
    '/repos/acme/broken': json(500, {}),
    '/repos/acme/odd': json(200, { nothing: 'of use' }),
    '/repos/acme/forbidden': json(403, {}),
    '/repos/acme/limited': json(403, {}, { 'x-ratelimit-remaining': '0' }),
    '/user': (request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${GITHUB_TOKEN}`
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isKnown ? { login: 'octo' } : { message: 'Bad credentials' }))
    },
  })
}
