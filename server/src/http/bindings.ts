import type { HttpBindings } from '@hono/node-server'

/** What the web framework adds to a request: Node's own request and response. */
export type Bindings = { Bindings: HttpBindings }
