/** Runs work as a span within the current one. */
export type Trace = <T>(name: string, work: () => Promise<T>) => Promise<T>

type Spans = { span<T>(name: string, options: object, work: () => Promise<T>): Promise<T> }

/** Without traces, `Trace` only runs the work. */
export const traceOf =
  (traces: Spans | null): Trace =>
  (name, work) =>
    traces ? traces.span(name, {}, work) : work()
