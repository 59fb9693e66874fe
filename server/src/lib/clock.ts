/** Returns milliseconds since 1970. Injected, so that tests can stop time. */
export type Clock = () => number
