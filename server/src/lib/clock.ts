/** Milliseconds since 1970, as a value, so that tests can hold time still. */
export type Clock = () => number
