import type { HttpBindings } from '@hono/node-server'

/** Request bindings of the web framework: Node's own request and response. */
export type Bindings = { Bindings: HttpBindings }
