/** A random text, for requests that must not take effect twice. `crypto.randomUUID` needs https. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
