import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** Claims by subject. The test sends them as messages. */
const people = new Map()
process.on('message', ({ sub, claims }) => people.set(sub, claims))

const server = createServer((request, response) => handle(request, response))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'docent',
      client_secret: 'the secret of docent, long enough',
      redirect_uris: [process.argv[2]],
      token_endpoint_auth_method: process.argv[3],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
})
const handle = provider.callback()
process.send?.({ issuer })
