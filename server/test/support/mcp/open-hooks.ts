import type { Endpoint } from '#mcp/dispatch/endpoint.ts'

/** Hooks of an endpoint that admits every call and records nothing. */
export const OPEN_HOOKS: Endpoint['hooks'] = {
  authenticate: async () => 'ok',
  docsUrl: 'https://docent.example/docs/access-tokens',
  takeRequests: async () => 'ok',
  noteConnection: () => undefined,
  takeCall: async () => 'ok',
  rememberClient: () => undefined,
  knownClient: () => null,
  recordCall: () => undefined,
  reportFailure: (error) => {
    throw error
  },
}
